// What a cut may leave of files and names.

#include "tests/daemon/disk/disk_model.h"

#include <gtest/gtest.h>

#include <set>

namespace wb::test {
namespace {

using Kind = DiskOp::Kind;

DiskOp Make(const std::string& path) { return {Kind::kCreate, path, "", 0, {}}; }
DiskOp Fill(const std::string& path, size_t size, uint8_t with) {
  return {Kind::kWrite, path, "", 0, Bytes(size, with)};
}
DiskOp Flushed(const std::string& path) { return {Kind::kFlush, path, "", 0, {}}; }

std::set<DiskImage> Cuts(const std::vector<DiskOp>& ops, const DiskImage& before = {}) {
  std::set<DiskImage> images;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    DiskModel model(before, seed);
    for (const DiskOp& op : ops) model.Apply(op);
    Chance chance(seed);
    images.insert(model.Cut(&chance));
  }
  return images;
}

TEST(DiskModelTest, WhatWasFlushedIsThere) {
  const std::set<DiskImage> cuts = Cuts({Make("a"), Fill("a", 2000, 1), Flushed("a"), Flushed("")});
  EXPECT_EQ(cuts, (std::set<DiskImage>{{{"a", Bytes(2000, 1)}}}));
}

TEST(DiskModelTest, ANameNeedsItsFolderFlushed) {
  const std::set<DiskImage> cuts = Cuts({Make("a"), Fill("a", 10, 1), Flushed("a")});
  EXPECT_EQ(cuts, (std::set<DiskImage>{{}, {{"a", Bytes(10, 1)}}}));
}

TEST(DiskModelTest, SectorsAreThereOrNot) {
  const DiskImage before = {{"a", Bytes(1024, 1)}};
  const std::set<DiskImage> cuts = Cuts({Fill("a", 1024, 2)}, before);
  EXPECT_EQ(cuts.size(), 4u);
  for (const DiskImage& image : cuts) {
    const Bytes& bytes = *image.at("a");
    for (size_t i = 0; i < 1024; ++i) EXPECT_EQ(bytes[i], bytes[i / 512 * 512]);
  }
}

TEST(DiskModelTest, ARenameIsOneStep) {
  const DiskImage before = {{"a", Bytes(10, 1)}, {"b", Bytes(10, 2)}};
  const std::set<DiskImage> cuts = Cuts({{Kind::kRename, "b", "a", 0, {}}}, before);
  EXPECT_EQ(cuts, (std::set<DiskImage>{before, {{"a", Bytes(10, 2)}}}));
}

// What a failed flush lost does not come with the next one.
TEST(DiskModelTest, AFailedFlushIsNotMadeGood) {
  const DiskImage before = {{"a", Bytes(10, 1)}};
  const std::set<DiskImage> cuts =
      Cuts({Fill("a", 10, 2), {Kind::kFlushFailed, "a", "", 0, {}}, Flushed("a")}, before);
  EXPECT_EQ(cuts, (std::set<DiskImage>{before, {{"a", Bytes(10, 2)}}}));
}

}  // namespace
}  // namespace wb::test
