// What a launch fills of a GPU: blocks, lanes that take seats, and that no record depends on it.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/cuda_rig.h"

namespace wb::test {
namespace {

// Launches of short slices until no seat waits: `before` sets what is special about each, `after`
// looks at what it did.
void LaunchToTheEnd(Device& device, wb::Dispatch& dispatch,
                    const std::function<void(uint32_t launch, LaunchLimits& limits)>& before,
                    const std::function<void(uint32_t launch)>& after) {
  LaunchLimits limits;
  limits.slice_fuel = 300;
  limits.quantum = 50;
  uint32_t left = 1;
  for (uint32_t launch = 0; left > 0 && launch < 10000; ++launch) {
    before(launch, limits);
    const auto report = device.Launch(dispatch, limits);
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    left = report->seats_left;
    after(launch);
  }
  EXPECT_EQ(left, 0u);
}

TEST_P(CudaDeviceTest, ALaunchHasTheBlocksThatItsOccupancyNames) {
  Work work = WorkOf(kSpin, "twice", 600);
  work.lanes = 300;
  work.seats = 600;
  const PipelineRef pipeline = BuildOn(*device_, work.module);
  const auto dispatch = Seat(*device_, pipeline, work);
  const auto blocks = [&](uint32_t block_threads) {
    LaunchLimits limits;
    limits.occupancy.block_threads = block_threads;
    EXPECT_TRUE(device_->Launch(*dispatch, limits).ok());
    return std::pair(gpu_.grid.load(), gpu_.block.load());
  };
  EXPECT_EQ(blocks(0), std::pair(3u, 128u));
  EXPECT_EQ(blocks(64), std::pair(5u, 64u));
  EXPECT_EQ(blocks(256), std::pair(2u, 256u));
  for (uint32_t wrong : {1u, 100u, 2048u}) EXPECT_EQ(blocks(wrong), std::pair(3u, 128u));
  gpu_.most_threads = 100;  // for want of registers
  const auto large = Seat(*device_, BuildOn(*device_, work.module), work);
  LaunchLimits limits;
  limits.occupancy.block_threads = 256;
  EXPECT_TRUE(device_->Launch(*large, limits).ok());
  EXPECT_EQ(gpu_.block, 96u);
}

TEST_P(CudaDeviceTest, TheUsualBlockLeavesFewRegistersOver) {
  const Work work = WorkOf(kSpin, "twice");
  const struct {
    int warps;
    uint32_t block;
  } kCases[] = {{64, 128}, {12, 128}, {11, 32}, {10, 64}, {8, 128}, {7, 32}, {3, 32}, {0, 128}};
  for (const auto& [warps, block] : kCases) {
    gpu_.warps = warps;
    const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
    ASSERT_TRUE(device_->Launch(*dispatch, {}).ok());
    EXPECT_EQ(gpu_.block, block) << warps;
  }
}

// Lanes change between launches, blocks too: nothing is lost, doubled or different.
TEST_P(CudaDeviceTest, RecordsAreTheSameHoweverManyLanesTakeSeats) {
  for (const AgreementCase& test : kStateCases) {
    Work work = WorkOf(test.wat, "run", 600);
    work.output_bytes = test.output_bytes;
    if (work.output_bytes != 0) work.steps.push_back(Read(0, work.output_bytes));
    AddRoomForFrames(work);
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    work.lanes = 160;
    work.seats = 600;
    const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
    LaunchToTheEnd(
        *device_, *dispatch,
        [](uint32_t launch, LaunchLimits& limits) {
          limits.occupancy = {1 + launch * 37 % 200, 32u << launch % 4};
        },
        [](uint32_t) {});
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin())) << test.name;
  }
}

// Launches change between two kernels, with instances midway: records are those of one.
TEST_P(CudaDeviceTest, LaunchesHaveTheKernelThatTheirOccupancyNames) {
  if (GetParam()) GTEST_SKIP() << "A kernel that stays has no second one.";
  gpu_.few_registers = true;
  Open({});
  EXPECT_TRUE(device_->info().few_registers);
  const AgreementCase& test = kStateCases[0];
  Work work = WorkOf(test.wat, "run", 600);
  AddRoomForFrames(work);
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  work.lanes = 160;
  work.seats = 600;
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  const void* kernels[2] = {};
  LaunchToTheEnd(
      *device_, *dispatch,
      [](uint32_t launch, LaunchLimits& limits) {
        limits.occupancy.few_registers = launch % 2 == 1;
      },
      [&](uint32_t launch) {
        if (launch < 2) kernels[launch] = gpu_.last_kernel;
        EXPECT_EQ(gpu_.last_kernel, kernels[launch % 2]);
      });
  EXPECT_NE(kernels[0], nullptr);
  EXPECT_NE(kernels[1], nullptr);
  EXPECT_NE(kernels[0], kernels[1]);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()));
}

// Another build of the module takes over a dispatch with instances midway.
TEST_P(CudaDeviceTest, ADispatchAdoptsAnotherBuildOfItsModule) {
  EXPECT_TRUE(device_->info().adopts_pipelines);
  for (const AgreementCase& test : kStateCases) {
    Work work = WorkOf(test.wat, "run", 100);
    work.output_bytes = test.output_bytes;
    if (work.output_bytes != 0) work.steps.push_back(Read(0, work.output_bytes));
    AddRoomForFrames(work);
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    PipelineRef first = BuildOn(*device_, work.module);
    const auto dispatch = Seat(*device_, first, work);
    LaunchToTheEnd(
        *device_, *dispatch, [](uint32_t, LaunchLimits&) {},
        [&](uint32_t launch) {
          if (launch % 8 != 0) return;
          const PipelineRef other = BuildOn(*device_, work.module);
          EXPECT_TRUE(device_->Adopt(*dispatch, other).ok());
          first.reset();
        });
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin())) << test.name;
  }
}

TEST_P(CudaDeviceTest, ADispatchAdoptsNoBuildOfAnotherModule) {
  const Work work = WorkOf(kSpin, "twice");
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  const PipelineRef other = BuildOn(*device_, WorkOf(kStateCases[0].wat, "run").module);
  EXPECT_EQ(device_->Adopt(*dispatch, other).reason(), Reason::kInternal);
  const auto report = device_->Launch(*dispatch, {});
  ASSERT_TRUE(report.ok()) << report.status().ToString();
}

TEST_P(CudaDeviceTest, APipelineOfOneKernelHasItForAllLaunches) {
  EXPECT_FALSE(device_->info().few_registers);
  const Work work = WorkOf(kSpin, "twice");
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  LaunchLimits limits;
  limits.occupancy.few_registers = true;
  const auto report = device_->Launch(*dispatch, limits);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->seats_left, 0u);
}

TEST_P(CudaDeviceTest, OnlyTheLanesOfItsOccupancyTakeSeats) {
  Work work = WorkOf(kSpin, "forever", 300);
  work.lanes = 150;
  work.seats = 300;
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  const auto running = [&](uint32_t lanes) {
    LaunchLimits limits;
    limits.slice_fuel = 100;
    limits.occupancy.lanes = lanes;
    EXPECT_TRUE(device_->Launch(*dispatch, limits).ok());
    return CountSeats(*dispatch, abi::SEAT_RUNNING);
  };
  EXPECT_EQ(running(1), 32u);  // whole groups
  EXPECT_EQ(running(65), 96u);
  EXPECT_EQ(running(1), 96u);  // the instances there go on
  EXPECT_EQ(running(1000), 150u);
  EXPECT_EQ(running(0), 150u);
}

}  // namespace
}  // namespace wb::test
