#include "scheduler/pipelines/occupancy_notes.h"

#include <gtest/gtest.h>

#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

class OccupancyNotesTest : public ::testing::Test {
 protected:
  OccupancyNotesTest() {
    PipelineCache::Options options;
    options.directory = folder_.path() + "/cache";
    cache_ = PipelineCache::Open(options).value();
    notes_ = std::make_unique<OccupancyNotes>(*cache_);
    owner_.pipeline = Sha256(AsBytes("pipeline"));
    owner_.device.name = "a GPU";
    owner_.device.processors = 4;
    owner_.device.threads = 256;
  }

  TemporaryFolder folder_;
  std::unique_ptr<PipelineCache> cache_;
  std::unique_ptr<OccupancyNotes> notes_;
  OccupancyOwner owner_;
};

TEST_F(OccupancyNotesTest, WhatWasNotedIsRecalledForThatOwnerAlone) {
  EXPECT_FALSE(notes_->Find(owner_));
  notes_->Remember(owner_, {128, 64});
  EXPECT_EQ(notes_->Find(owner_), (Occupancy{128, 64}));
  OccupancyOwner other = owner_;
  other.calls = Sha256(AsBytes("calls"));
  EXPECT_FALSE(notes_->Find(other));
  notes_->Remember(other, {});
  EXPECT_EQ(notes_->Find(other), Occupancy());
  EXPECT_EQ(notes_->Find(owner_), (Occupancy{128, 64}));
  notes_->Remember(other, {.few_registers = true});
  EXPECT_EQ(notes_->Find(other), (Occupancy{.few_registers = true}));
  for (const bool few_registers : {false, true}) {
    const Occupancy tiled = {.lanes = 64, .few_registers = few_registers, .tiled = true};
    notes_->Remember(other, tiled);
    EXPECT_EQ(notes_->Find(other), tiled);
  }
  notes_->Remember(other, {.lanes = 64, .hot = true});
  EXPECT_EQ(notes_->Find(other), (Occupancy{.lanes = 64, .hot = true}));
  other = owner_;
  other.is_best = true;
  EXPECT_FALSE(notes_->Find(other));
  notes_->Remember(other, {64, 32});
  EXPECT_EQ(notes_->Find(other), (Occupancy{64, 32}));
  EXPECT_EQ(notes_->Find(owner_), (Occupancy{128, 64}));
  other = owner_;
  other.device.name = "another";
  EXPECT_FALSE(notes_->Find(other));
}

TEST_F(OccupancyNotesTest, WhatDoesNotFitTheDeviceIsNone) {
  for (const Occupancy& wrong : {Occupancy{512, 0}, Occupancy{128, 100}, Occupancy{128, 2048}}) {
    notes_->Remember(owner_, wrong);
    EXPECT_FALSE(notes_->Find(owner_)) << wrong.lanes << " " << wrong.block_threads;
  }
  notes_->Remember(owner_, {128, 64});
  owner_.device.processors = 8;
  EXPECT_FALSE(notes_->Find(owner_));
}

}  // namespace
}  // namespace wb::test
