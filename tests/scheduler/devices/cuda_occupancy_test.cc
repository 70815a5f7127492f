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

// Calls itself, writes to memory, and reads that again.
constexpr const char* kWrites = R"((module (memory 1)
  (func $deep (param $n i32) (result i32)
    (i32.store8 (i32.mul (local.get $n) (i32.const 37)) (local.get $n))
    (i64.store (i32.add (i32.const 40000) (i32.mul (local.get $n) (i32.const 12)))
      (i64.extend_i32_u (local.get $n)))
    (if (result i32) (i32.eqz (local.get $n)) (then (i32.const 1))
      (else (i32.add (i32.mul (call $deep (i32.sub (local.get $n) (i32.const 1))) (i32.const 31))
        (i32.add (i32.load8_u (i32.mul (local.get $n) (i32.const 37)))
          (i32.load (i32.add (i32.const 39999) (i32.mul (local.get $n) (i32.const 12)))))))))
  (func (export "run") (param i32) (result i32)
    (call $deep (i32.add (i32.const 20) (i32.and (local.get 0) (i32.const 63)))))))";

// ... and between kernels for which memories lie in different ways.
TEST_P(CudaDeviceTest, MemoriesAreReorderedForTheKernelThatALaunchNames) {
  gpu_.few_registers = gpu_.tiled = true;
  Open({});
  EXPECT_TRUE(device_->info().tiled);
  Work work = WorkOf(kWrites, "run", 200);
  work.output_bytes = 1024;
  work.steps.push_back(Read(0, work.output_bytes));
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  work.lanes = 96;
  work.seats = 200;
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  uint64_t changes = 0;
  LaunchToTheEnd(
      *device_, *dispatch,
      [&](uint32_t launch, LaunchLimits& limits) {
        const bool tiled = launch / 2 % 2 == 0;
        if (launch != 0 && tiled != limits.occupancy.tiled) ++changes;
        limits.occupancy.tiled = tiled;
        limits.occupancy.few_registers = launch % 2 == 1;
      },
      [](uint32_t) {});
  EXPECT_GT(changes, 3u);
  EXPECT_EQ(gpu_.reorders, GetParam() ? 0 : changes) << "what lies there is none at first";
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()));
}

// A table that each lane writes, then reads and changes at places of its own, leaving in between.
constexpr const char* kTable = R"(
(module (memory 1)
  (func (export "run") (param $x i32) (result i32) (local $n i32)
    (loop $fill
      (i32.store offset=4096 (i32.and (local.get $n) (i32.const 1020))
        (i32.mul (local.get $n) (local.get $x)))
      (br_if $fill (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 4)))
                             (i32.const 1024))))
    (loop $next
      (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 7)))
      (i32.store16 offset=4097 (i32.and (local.get $x) (i32.const 1020))
        (i32.load offset=4096 (i32.and (i32.shr_u (local.get $x) (i32.const 9))
                                       (i32.const 1020))))
      (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.load offset=4200 (i32.const 0)))))";

// ... and one that takes hot bytes as calls begin, and gives them back as they leave.
TEST_P(CudaDeviceTest, HotBytesAreWhereTheKernelThatALaunchNamesHasThem) {
  gpu_.few_registers = gpu_.tiled = gpu_.hot = true;
  Open({});
  EXPECT_TRUE(device_->info().hot);
  Work work = WorkOf(kTable, "run", 100);
  work.output_bytes = 1024;
  work.steps.push_back(Read(4096, work.output_bytes));
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  const auto dispatch = Seat(*device_, BuildOn(*device_, work.module), work);
  uint32_t launches = 0;
  LaunchToTheEnd(
      *device_, *dispatch,
      [&](uint32_t launch, LaunchLimits& limits) {
        limits.occupancy.hot = launch % 3 != 0;
        limits.occupancy.tiled = launch % 3 == 0 && launch % 2 == 0;
        limits.slice_fuel = 4000;
        launches = launch;
      },
      [&](uint32_t launch) {
        if (GetParam() || launch % 3 == 0) return;
        EXPECT_EQ(gpu_.block, gpu_.hot_lanes);
        EXPECT_EQ(gpu_.grid, (100 + gpu_.hot_lanes - 1) / gpu_.hot_lanes);
        EXPECT_EQ(gpu_.shared_bytes, gpu_.hot_lanes * 1024);
      });
  EXPECT_GT(launches, 3u);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()));
}

// A build without tiled kernels takes over lanes whose memories lie in tiles.
TEST_P(CudaDeviceTest, ABuildWithoutTiledKernelsAdoptsTiledLanes) {
  if (GetParam()) GTEST_SKIP() << "A kernel that stays has no second one.";
  const Work work = WorkOf(kWrites, "run", 100);
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  const PipelineRef other = BuildOn(*device_, work.module);
  gpu_.few_registers = gpu_.tiled = true;
  Open({});
  PipelineRef first = BuildOn(*device_, work.module);
  const auto dispatch = Seat(*device_, first, work);
  LaunchToTheEnd(
      *device_, *dispatch, [](uint32_t, LaunchLimits& limits) { limits.occupancy.tiled = true; },
      [&](uint32_t launch) {
        if (launch != 1) return;
        EXPECT_TRUE(device_->Adopt(*dispatch, other).ok());
        first.reset();
      });
  EXPECT_EQ(gpu_.reorders, 1u);
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
