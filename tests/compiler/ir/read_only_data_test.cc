// Which data has a copy in the text.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/ir.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

using Pieces = std::vector<std::pair<uint32_t, uint32_t>>;

// A loop that reads bytes of a table of 64 at byte 1000, and does `more` in each round.
std::string Module(const std::string& more, const std::string& data = "",
                   const std::string& behind = "") {
  std::string table;
  for (int i = 0; i < 4; ++i) table += "sixteen bytes...";
  return "(module (memory 1) (data (i32.const 1000) \"" + table + "\")" + data +
         "(func (export \"f\") (param $x i32) (param $y i32) (result i32) (local $s i32)"
         "(loop $l"
         "  (local.set $s (i32.add (local.get $s)"
         "    (i32.load8_u offset=1000 (i32.and (local.get $x) (i32.const 63)))))" +
         more + "  (br_if $l (local.tee $x (i32.shr_u (local.get $x) (i32.const 1)))))" + behind +
         "(local.get $s)))";
}

Pieces Found(const std::string& module) {
  const auto lowered = MustLower(module);
  Pieces pieces;
  for (const auto& piece : lowered->program.read_only.pieces) {
    pieces.emplace_back(piece.from, piece.end);
  }
  return pieces;
}

const Pieces kTable = {{1000, 1064}};

std::string StoreAt(const std::string& address) {
  return "(i32.store8 " + address + " (local.get $s))";
}

TEST(ReadOnlyDataTest, IsWhatALoopReadsAndNothingIsKnownToWrite) {
  EXPECT_EQ(Found(Module("")), kTable);
  EXPECT_EQ(Found(Module("", "", StoreAt("(i32.const 999)") + StoreAt("(i32.const 1064)"))),
            kTable);
  EXPECT_EQ(Found(Module("", "", StoreAt("(i32.const 1063)"))), Pieces());
  EXPECT_EQ(Found(Module("", "", StoreAt("(i32.and (local.get $y) (i32.const 1023))"))), Pieces());
  // A store of which nothing is known is watched, unless there are many of them.
  const std::string anywhere = StoreAt("(local.get $y)");
  EXPECT_EQ(Found(Module(anywhere)), kTable);
  EXPECT_EQ(Found(Module(anywhere + anywhere + anywhere + anywhere)), kTable);
  EXPECT_EQ(Found(Module(anywhere + anywhere + anywhere + anywhere + anywhere + anywhere +
                         anywhere + anywhere)),
            Pieces());
}

TEST(ReadOnlyDataTest, LiesInOneSegmentAndIsNotAllZero) {
  const std::string beyond =
      "(drop (i32.load8_u offset=1004 (i32.and (local.get $x) (i32.const 63))))";
  EXPECT_EQ(Found(Module(beyond)), kTable) << "bytes beyond the segment";
  const std::string zeros =
      "(drop (i32.load8_u offset=3000 (i32.and (local.get $x) (i32.const 3))))";
  EXPECT_EQ(Found(Module(zeros, "(data (i32.const 3000) \"\\00\\00\\00\\00\")")), kTable);
  EXPECT_EQ(Found(Module(zeros, "(data (i32.const 3000) \"\\00\\00\\00\\01\")")),
            (Pieces{{1000, 1064}, {3000, 3004}}));
}

// What lies between the first piece and the last is watched as a whole.
TEST(ReadOnlyDataTest, NoStoreIsKnownToComeBetweenPieces) {
  const std::string zeros =
      "(drop (i32.load8_u offset=3000 (i32.and (local.get $x) (i32.const 3))))";
  const std::string data = "(data (i32.const 3000) \"data\")";
  EXPECT_EQ(Found(Module(zeros, data, StoreAt("(i32.const 2000)"))), kTable);
  EXPECT_EQ(Found(Module(zeros + zeros, data, StoreAt("(i32.const 2000)"))), (Pieces{{3000, 3004}}))
      << "the heavier one";
}

TEST(ReadOnlyDataTest, DoesNotCountOutsideOfLoopsNorAtOnePlace) {
  const std::string table = "(data (i32.const 3000) \"data\")";
  EXPECT_EQ(Found(Module("(drop (i32.load8_u (i32.const 3000)))", table)), kTable);
  EXPECT_EQ(
      Found(Module("", table,
                   "(drop (i32.load8_u offset=3000 (i32.and (local.get $x) (i32.const 3))))")),
      kTable);
  // A load of words that may not be aligned.
  EXPECT_EQ(Found(Module("(drop (i32.load offset=3000 (i32.and (local.get $x) (i32.const 3))))",
                         "(data (i32.const 3000) \"data of eight\")")),
            kTable);
}

TEST(ReadOnlyDataTest, ReadersAreFunctionsAndWhatCallsThem) {
  const auto lowered = MustLower(R"((module (memory 1) (data (i32.const 1000) "sixteen bytes...")
    (func $reads (param $x i32) (result i32) (local $s i32)
      (loop $l
        (local.set $s (i32.add (local.get $s) (i32.load8_u offset=1000 (i32.and (local.get $x) (i32.const 15)))))
        (br_if $l (local.tee $x (i32.shr_u (local.get $x) (i32.const 1)))))
      (local.get $s))
    (func $calls (param i32) (result i32) (call $reads (local.get 0)))
    (func $does_not (param i32) (result i32) (local.get 0))
    (func (export "f") (param i32) (result i32) (i32.add (call $calls (local.get 0)) (call $does_not (local.get 0))))))");
  std::vector<bool> reads;
  for (const ir::Function& function : lowered->program.functions)
    reads.push_back(function.reads_copies);
  EXPECT_EQ(reads, (std::vector<bool>{true, true, false, true}));
  EXPECT_EQ(lowered->layout.data_from, 1000u);
  EXPECT_EQ(lowered->layout.data_end, 1016u);
}

}  // namespace
}  // namespace wb::test
