#include "scheduler/pipelines/residency_notes.h"

#include <gtest/gtest.h>

#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

class ResidencyNotesTest : public ::testing::Test {
 protected:
  ResidencyNotesTest() {
    PipelineCache::Options options;
    options.directory = folder_.path() + "/cache";
    cache_ = PipelineCache::Open(options).value();
    notes_ = std::make_unique<ResidencyNotes>(*cache_);
    owner_.pipeline = Sha256(AsBytes("pipeline"));
    owner_.device.name = "a GPU";
    owner_.device.processors = 4;
    owner_.device.threads = 256;
  }

  TemporaryFolder folder_;
  std::unique_ptr<PipelineCache> cache_;
  std::unique_ptr<ResidencyNotes> notes_;
  ResidencyOwner owner_;
};

TEST_F(ResidencyNotesTest, WhatWasNotedIsRecalledForThatOwnerAlone) {
  EXPECT_FALSE(notes_->Recall(owner_));
  notes_->Remember(owner_, {128, 64});
  EXPECT_EQ(notes_->Recall(owner_), (Residency{128, 64}));
  ResidencyOwner other = owner_;
  other.calls = Sha256(AsBytes("calls"));
  EXPECT_FALSE(notes_->Recall(other));
  notes_->Remember(other, {});
  EXPECT_EQ(notes_->Recall(other), Residency());
  EXPECT_EQ(notes_->Recall(owner_), (Residency{128, 64}));
  other = owner_;
  other.device.name = "another";
  EXPECT_FALSE(notes_->Recall(other));
}

TEST_F(ResidencyNotesTest, WhatDoesNotFitTheDeviceIsNone) {
  for (const Residency& wrong : {Residency{512, 0}, Residency{128, 100}, Residency{128, 2048}}) {
    notes_->Remember(owner_, wrong);
    EXPECT_FALSE(notes_->Recall(owner_)) << wrong.lanes << " " << wrong.block_threads;
  }
  notes_->Remember(owner_, {128, 64});
  owner_.device.processors = 8;
  EXPECT_FALSE(notes_->Recall(owner_));
}

}  // namespace
}  // namespace wb::test
