// Addresses that are memory where it was committed, and lanes of a dispatch over them.

#include <gtest/gtest.h>

#include "scheduler/devices/cuda/lanes/mapped_lanes.h"
#include "tests/fakes/fake_gpu.h"

namespace wb::test {
namespace {

constexpr uint64_t kGranule = FakeMapping::kGranule;
constexpr uint64_t kMiB = uint64_t{1} << 20;

class MappedMemoryTest : public testing::Test {
 protected:
  MappedMemoryTest() : context_(CudaContext::Open(gpu_.Parts().driver, 0).value()) {}
  std::unique_ptr<MappedMemory> Reserve(uint64_t bytes) {
    return std::move(MappedMemory::Reserve(context_, bytes)).value();
  }
  // Stops the process where it is not memory.
  void Use(const MappedMemory& memory, uint64_t offset, uint64_t bytes) {
    const CudaDriver& driver = context_->driver();
    EXPECT_EQ(driver.memory_set(memory.address() + offset, 0, bytes, nullptr), 0);
  }

  FakeGpu gpu_;
  CudaContextRef context_;
};

TEST_F(MappedMemoryTest, WholeGranulesAreCommittedOnce) {
  EXPECT_EQ(context_->granule(), kGranule);
  const auto memory = Reserve(8 * kGranule + 1);
  EXPECT_EQ(gpu_.allocations(), 1u);
  EXPECT_EQ(gpu_.used_bytes(), 0u);
  EXPECT_EQ(memory->Missing(kGranule + 5, 1), kGranule);
  ASSERT_TRUE(memory->Commit(kGranule + 5, 1).ok());
  EXPECT_EQ(memory->committed_bytes(), kGranule);
  Use(*memory, kGranule, kGranule);
  // What is missing on both sides of it: a piece each.
  EXPECT_EQ(memory->Missing(0, 4 * kGranule), 3 * kGranule);
  ASSERT_TRUE(memory->Commit(0, 4 * kGranule).ok());
  EXPECT_EQ(gpu_.allocations(), 1u + 3u);
  EXPECT_EQ(gpu_.used_bytes(), 4 * kGranule);
  Use(*memory, 0, 4 * kGranule);
  ASSERT_TRUE(memory->Commit(7, 3 * kGranule).ok());
  EXPECT_EQ(gpu_.used_bytes(), 4 * kGranule);
  ASSERT_TRUE(memory->Commit(8 * kGranule, 1).ok());
  EXPECT_EQ(memory->committed_bytes(), 5 * kGranule);
}

TEST_F(MappedMemoryTest, AllIsGivenBack) {
  auto memory = Reserve(8 * kGranule);
  ASSERT_TRUE(memory->Commit(kGranule, 2 * kGranule).ok());
  ASSERT_TRUE(memory->Commit(5 * kGranule, kGranule).ok());
  memory.reset();
  EXPECT_EQ(gpu_.allocations(), 0u);
  EXPECT_EQ(gpu_.used_bytes(), 0u);
}

TEST_F(MappedMemoryTest, WantOfMemoryLeavesWhatWasThere) {
  const auto memory = Reserve(8 * kGranule);
  ASSERT_TRUE(memory->Commit(0, kGranule).ok());
  gpu_.SetMemory(3 * kGranule);
  const Status status = memory->Commit(0, 4 * kGranule);
  EXPECT_EQ(status.reason(), Reason::kNoDeviceFits);
  EXPECT_NE(status.message().find("[" + std::to_string(3 * kGranule) + "]"), std::string::npos)
      << status.message();
  EXPECT_EQ(gpu_.allocations(), 2u);
  EXPECT_EQ(memory->committed_bytes(), kGranule);
  Use(*memory, 0, kGranule);
  ASSERT_TRUE(memory->Commit(0, 3 * kGranule).ok());
  Use(*memory, 0, 3 * kGranule);
}

TEST_F(MappedMemoryTest, ACallThatFailsLeavesNothingBehind) {
  const auto memory = Reserve(8 * kGranule);
  for (const char* call : {"physical_create", "memory_map", "memory_access"}) {
    gpu_.Fail(call, 700);
    EXPECT_EQ(memory->Commit(0, 2 * kGranule).reason(), Reason::kDeviceLost) << call;
    gpu_.Fail(call, 2);
    EXPECT_EQ(memory->Commit(0, 2 * kGranule).reason(), Reason::kNoDeviceFits) << call;
    EXPECT_EQ(gpu_.allocations(), 1u) << call;
    EXPECT_EQ(gpu_.used_bytes(), 0u) << call;
  }
  gpu_.Fail("address_reserve", 2);
  EXPECT_EQ(MappedMemory::Reserve(context_, kGranule).status().reason(), Reason::kNoDeviceFits);
  gpu_.Fail("", 0);
  EXPECT_TRUE(memory->Commit(0, 2 * kGranule).ok());
}

DispatchShape ShapeOf(uint32_t lanes, uint32_t capacity_pages, uint32_t mapped_pages) {
  DispatchShape shape;
  shape.lanes = lanes;
  shape.capacity_pages = shape.max_pages = capacity_pages;
  shape.mapped_pages = mapped_pages;
  return shape;
}

LaneLayout SmallLayout() {
  LaneLayout layout;
  layout.memory_at = 1024;  // 128 KiB of a group
  return layout;
}

TEST(MappedPlanTest, GroupsShareNoGranule) {
  const auto plan = MappedPlan::Of(SmallLayout(), ShapeOf(70, 16, 3), kGranule);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->groups, 3u);
  EXPECT_EQ(plan->GroupBytes(), 17 * kGranule);
  EXPECT_EQ(plan->HeadBytes(3), kMiB / 8 + 6 * kMiB);
  EXPECT_EQ(plan->FirstBytes(), 3 * 4 * kGranule);
  EXPECT_EQ(plan->PagesIn(4 * kGranule), 3u);
  EXPECT_EQ(plan->PagesIn(100 * kGranule), 16u);
}

TEST(MappedPlanTest, FramesBehindTheReserveAreMemoryAtOnce) {
  LaneLayout layout = SmallLayout();
  layout.frame_words_per_1024_slots = 2048;
  DispatchShape shape = ShapeOf(32, 16, 1);
  shape.capacity_stack = 2048;
  const auto plan = MappedPlan::Of(layout, shape, kGranule);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->behind_at, kMiB / 8 + 32 * kMiB);
  EXPECT_EQ(plan->behind_bytes, kMiB / 2);
  EXPECT_EQ(plan->FirstBytes(), 2 * kGranule + kGranule);
  // A granule that both are in counts once.
  EXPECT_EQ(MappedPlan::Of(layout, ShapeOf(32, 2, 1), 8 * kMiB)->FirstBytes(), 16 * kMiB);
}

TEST(MappedPlanTest, AllAtOnceWhereItCannotOrNeedNotGrow) {
  LaneLayout layout = SmallLayout();
  EXPECT_FALSE(MappedPlan::Of(layout, ShapeOf(32, 16, 1), 0));
  EXPECT_FALSE(MappedPlan::Of(layout, ShapeOf(32, 16, 0), kGranule));
  EXPECT_FALSE(MappedPlan::Of(layout, ShapeOf(32, 16, 16), kGranule));
  layout.memories.resize(2);
  EXPECT_FALSE(MappedPlan::Of(layout, ShapeOf(32, 16, 1), kGranule));
}

TEST(MappedPlanTest, GrowsByHalfAtLeastUpToItsAddresses) {
  const auto plan = MappedPlan::Of(SmallLayout(), ShapeOf(32, 16, 1), kGranule);
  EXPECT_EQ(plan->NextPages(1, 2), 2u);
  EXPECT_EQ(plan->NextPages(3, 4), 5u);
  EXPECT_EQ(plan->NextPages(8, 9), 12u);
  EXPECT_EQ(plan->NextPages(8, 14), 14u);
  EXPECT_EQ(plan->NextPages(12, 13), 16u);
}

class MappedLanesTest : public MappedMemoryTest {
 protected:
  MappedLanesTest() : plan_(*MappedPlan::Of(SmallLayout(), ShapeOf(64, 16, 8), kGranule)) {}
  std::unique_ptr<MappedLanes> Create(uint64_t most) {
    return std::move(MappedLanes::Create(context_, plan_, share_, most)).value();
  }
  const MappedPlan plan_;
  std::shared_ptr<std::atomic<uint64_t>> held_ = std::make_shared<std::atomic<uint64_t>>(0);
  BudgetShare share_{held_, plan_.FirstBytes()};
};

TEST_F(MappedLanesTest, AGroupGrowsAloneAndIsCounted) {
  const auto lanes = Create(uint64_t{1} << 40);
  EXPECT_EQ(*held_, 2 * 9 * kGranule);
  EXPECT_EQ(gpu_.used_bytes(), *held_);
  ASSERT_TRUE(lanes->GrowWell(1, 9).ok());
  EXPECT_EQ(lanes->pages(0), 8u);
  EXPECT_EQ(lanes->pages(1), 12u);
  EXPECT_EQ(lanes->least_pages(), 8u);
  EXPECT_EQ(*held_, (9 + 13) * kGranule);
  EXPECT_EQ(gpu_.used_bytes(), *held_);
  ASSERT_TRUE(lanes->GrowWell(1, 12).ok());  // it has them
  EXPECT_EQ(*held_, (9 + 13) * kGranule);
  ASSERT_TRUE(lanes->Grow(0, 10).ok());
  EXPECT_EQ(lanes->least_pages(), 10u);
  EXPECT_EQ(lanes->Grow(0, 17).reason(), Reason::kNoDeviceFits);
}

// First with half as many again, then with what is needed alone, then not at all.
TEST_F(MappedLanesTest, TheBudgetBoundsItsGrowth) {
  const auto lanes = Create((2 * 9 + 3) * kGranule);
  ASSERT_TRUE(lanes->GrowWell(0, 10).ok());
  EXPECT_EQ(lanes->pages(0), 10u);
  const Status status = lanes->GrowWell(1, 10);
  EXPECT_EQ(status.reason(), Reason::kNoDeviceFits);
  EXPECT_NE(status.message().find("[" + std::to_string(21 * kGranule) + "]"), std::string::npos);
  EXPECT_EQ(lanes->pages(1), 8u);
  EXPECT_EQ(*held_, 20 * kGranule);
}

TEST_F(MappedLanesTest, WhatTheGpuLacksIsNotCounted) {
  const auto lanes = Create(uint64_t{1} << 40);
  gpu_.SetMemory(20 * kGranule);
  EXPECT_EQ(lanes->GrowWell(0, 13).reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(*held_, 18 * kGranule);
  EXPECT_TRUE(lanes->GrowWell(0, 9).ok());
  EXPECT_EQ(lanes->pages(0), 9u);
  EXPECT_EQ(*held_, gpu_.used_bytes());
}

}  // namespace
}  // namespace wb::test
