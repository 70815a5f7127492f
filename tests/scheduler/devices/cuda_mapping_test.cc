// Dispatches of the cuda device whose memory is mapped as their lanes grow.

#include <gtest/gtest.h>

#include "tests/scheduler/devices/cuda_mapping_rig.h"

namespace wb::test {
namespace {

// Numbers below 32 end at once.
std::string GrowsFrom32() {
  std::string wat(kGrowsAtOnce);
  const std::string body = "(loop $wait";
  return wat.insert(wat.find(body),
                    "(if (i32.lt_u (local.get $n) (i32.const 32)) "
                    "(then (return (i32.const 5))))");
}

TEST_P(CudaMappingTest, WhoWaitsForMemoryGoesOnWithIt) {
  const Work work = Mapped(kGrowsAtOnce, 70);
  const auto dispatch = SeatOf(work);
  const uint64_t before = gpu_.used_bytes();
  LeaveWaiting(9, 0, 70);
  EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 70u);
  EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_RUNNING), 70u);
  EXPECT_EQ(gpu_.used_bytes(), before + 3 * 16 * kMiB);
  EXPECT_EQ(dispatch->records()[abi::RECORD_WANTED_PAGES], 0u);
  gpu_.after_launch = {};
  // Their records go up although no other lane has written any.
  EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
  ExpectRecords(*dispatch, work);
}

// Lanes take seats out of their order, and an instance that starts there later finds the memory.
TEST_P(CudaMappingTest, QueuedSeatsToo) {
  const Work work = Mapped(kGrowsAtOnce, 40, 90);
  const auto dispatch = SeatOf(work);
  LeaveWaiting(9, 0, 90);
  EXPECT_GE(LaunchOnce(*dispatch, 40, true).seats_left, 40u);
  EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_RUNNING), 40u);
  EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_START), 50u);
  gpu_.after_launch = {};
  EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
  ExpectRecords(*dispatch, work);
}

// Lanes 0 to 63 hold seats 32 to 95, so seat 40 is in the first group.
TEST_P(CudaMappingTest, ASeatsLaneIsTheOneThatHoldsIt) {
  const std::string wat = GrowsFrom32();
  const Work work = Mapped(wat, 64, 128);
  const auto dispatch = SeatOf(work);
  LeaveWaiting(9, 40, 41);
  LaunchOnce(*dispatch, 300, true);
  EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_RUNNING), 64u);
  EXPECT_EQ(SeatState(*dispatch, 95), abi::SEAT_RUNNING);
  gpu_.after_launch = {};
  LaunchOnce(*dispatch, uint64_t{1} << 62);
  ExpectRecord(*dispatch, work, 40);
}

TEST_P(CudaMappingTest, OnlyTheGroupThatNeedsItGrows) {
  const auto dispatch = SeatOf(Mapped(kGrowsAtOnce, 64));
  const uint64_t before = gpu_.used_bytes();
  LeaveWaiting(9, 40, 41);
  EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 64u);
  EXPECT_EQ(gpu_.used_bytes(), before + 16 * kMiB);
  LeaveWaiting(9, 40, 42);  // there already
  EXPECT_EQ(LaunchOnce(*dispatch, 40).seats_left, 64u);
  EXPECT_EQ(gpu_.used_bytes(), before + 16 * kMiB);
}

// Instances that must start again, that want more than there are addresses for, or for which there
// is no memory.
TEST_P(CudaMappingTest, OthersWaitOn) {
  for (const uint32_t wanted : {0u, 17u, ~0u}) {
    const auto dispatch = SeatOf(Mapped(kGrowsAtOnce, 64));
    const uint64_t before = gpu_.used_bytes();
    LeaveWaiting(wanted, 0, 64);
    EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 0u);
    EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_NEEDS_MEMORY), 64u) << wanted;
    EXPECT_EQ(gpu_.used_bytes(), before);
  }
  for (const bool by_budget : {true, false}) {
    Open({.memory_bytes = (by_budget ? 32 : 512) * kMiB});
    const Work work = Mapped(kGrowsAtOnce, 64);
    const auto dispatch = SeatOf(work);
    if (!by_budget) gpu_.SetMemory(gpu_.used_bytes() + 17 * kMiB);
    LeaveWaiting(9, 0, 64);
    EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 32u);
    EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_NEEDS_MEMORY), 32u);
    EXPECT_EQ(dispatch->records()[63 * work.Shape().RecordWords() + abi::RECORD_WANTED_PAGES], 9u);
    gpu_.after_launch = {};
    EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
    EXPECT_EQ(CountSeats(*dispatch, abi::SEAT_DONE), 32u);
    gpu_.SetMemory(uint64_t{1} << 30);
  }
}

TEST_P(CudaMappingTest, WhatGrowsCountsForTheNextDispatch) {
  Open({.memory_bytes = 44 * kMiB});
  const Work work = Mapped(kGrowsAtOnce, 64);
  PipelineRef pipeline = BuildOn(*device_, work.module);
  auto dispatch = Seat(*device_, pipeline, work);
  EXPECT_TRUE(device_->Allocate(pipeline, work.Shape()).ok());
  LeaveWaiting(9, 0, 64);
  EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 64u);
  EXPECT_EQ(device_->Allocate(pipeline, work.Shape()).status().reason(), Reason::kNoDeviceFits);
  dispatch.reset();
  EXPECT_TRUE(device_->Allocate(pipeline, work.Shape()).ok());
  pipeline.reset();
  device_.reset();
  EXPECT_EQ(gpu_.used_bytes(), 0u);
  EXPECT_EQ(gpu_.allocations(), 0u);
}

TEST_P(CudaMappingTest, AFaultIsALostDevice) {
  for (const char* call : {"physical_create", "memory_map", "memory_access"}) {
    Open({});
    const auto dispatch = SeatOf(Mapped(kGrowsAtOnce, 64));
    LeaveWaiting(9, 0, 64);
    gpu_.Fail(call, 700);
    EXPECT_EQ(device_->Launch(*dispatch, {.slice_fuel = 40}).status().reason(), Reason::kDeviceLost)
        << call;
    gpu_.Fail("", 0);
  }
}

// Other launches are in flight while a kernel that stays must leave for the memory.
TEST_P(CudaMappingTest, BesideOtherLaunches) {
  const Work work = Mapped(kGrowsAtOnce, 64);
  const auto dispatch = SeatOf(work), other = SeatOf(work);
  const auto spinning = SeatOf(WorkOf(kSpin, "forever", 3));
  LeaveWaiting(9, 0, 64);
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(20);
  LaunchLimits little = limits;
  little.slice_fuel = 40;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(device_->Begin(*dispatch, little).ok());
    ASSERT_TRUE(device_->Begin(*other, little).ok());
    ASSERT_TRUE(device_->Begin(*spinning, limits).ok());
    for (const uint32_t left : {64u, 64u}) EXPECT_EQ(device_->Await()->seats_left, left);
    ASSERT_TRUE(device_->Await().ok());
  }
  gpu_.after_launch = {};
  RunToEnd(*device_, *dispatch);
  ExpectRecords(*dispatch, work);
}

TEST_P(CudaMappingTest, WithoutTheMeansAllIsMemoryAtOnce) {
  const auto expect_all = [this](const CudaSettings& settings) {
    Open(settings);
    EXPECT_FALSE(device_->info().maps_memory);
    const Work work = Mapped(kGrowsAtOnce, 64);
    const auto dispatch = SeatOf(work);
    EXPECT_GT(gpu_.used_bytes(), 64 * kMiB);
    RunToEnd(*device_, *dispatch);
    ExpectRecords(*dispatch, work);
  };
  EXPECT_TRUE(device_->info().maps_memory);
  gpu_.driver_maps = false;
  expect_all({});
  gpu_.driver_maps = true;
  gpu_.gpu_maps = false;
  expect_all({});
  gpu_.gpu_maps = true;
  expect_all({.maps_memory = false});
}

// Recursion has its frames behind addresses that are no memory.
TEST_P(CudaMappingTest, DeepRecursion) {
  const Work work = Mapped(R"((module (memory 1 16)
    (func $sum (export "run") (param $n i32) (result i32)
      (i32.store (i32.mul (local.get $n) (i32.const 16)) (local.get $n))
      (if (result i32) (i32.eqz (local.get $n)) (then (i32.const 7))
        (else (i32.add (local.get $n)
          (call $sum (i32.sub (local.get $n) (i32.const 1)))))))))",
                           64);
  const auto dispatch = SeatOf(work);
  while (LaunchOnce(*dispatch, 20).seats_left > 0) continue;
  ExpectRecords(*dispatch, work);
}

// By kernels that leave a call before a memory.grow; others make its instance start again.
TEST_P(CudaMappingTest, InstancesGrowWithoutStartingAgain) {
  for (const uint32_t seats : {0u, 150u}) {
    const Work work = Mapped(kGrowsOften, 70, seats);
    const auto dispatch = SeatOf(work);
    uint32_t launches = 0;
    for (; launches < 100; ++launches) {
      if (LaunchOnce(*dispatch, uint64_t{1} << 62, launches == 0).seats_left == 0) break;
    }
    if (launches == 0 && CountSeats(*dispatch, abi::SEAT_NEEDS_MEMORY) > 0) {
      GTEST_SKIP() << "This kernel's instances start again when they need memory.";
    }
    EXPECT_GT(launches, 3u);
    ExpectRecords(*dispatch, work);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, CudaMappingTest, testing::Bool(), kWay);

}  // namespace
}  // namespace wb::test
