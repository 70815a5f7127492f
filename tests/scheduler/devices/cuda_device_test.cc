// The cuda device over a driver made of this machine's processor: the same records as everywhere,
// bounded launches, and what becomes of a driver's failures. The driver itself is not here.

#include <gtest/gtest.h>

#include <thread>

#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/cuda_rig.h"

namespace wb::test {
namespace {

TEST_P(CudaDeviceTest, RecordsAreThoseOfTheCpuHoweverCut) {
  for (const AgreementCase& test : kStateCases) {
    Work work = WorkOf(test.wat, "run", 150);
    work.output_bytes = test.output_bytes;
    if (work.output_bytes != 0) work.steps.push_back(Read(0, work.output_bytes));
    AddRoomForFrames(work);
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    const PipelineRef pipeline = BuildOn(*device_, work.module);
    const auto expect_records = [&](const Slicing& slicing) {
      const auto dispatch = Seat(*device_, pipeline, work);
      RunToEnd(*device_, *dispatch, slicing);
      EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()))
          << test.name << " slice " << slicing.slice << " seats " << work.seats;
    };
    for (const Slicing& slicing : {Slicing{1, 1}, Slicing{40, 1}}) expect_records(slicing);
    work.lanes = 40;  // which take one seat after the other
    work.seats = 150;
    for (const Slicing& slicing : {Slicing{}, Slicing{1, 1}, Slicing{1000, 7, 13}}) {
      expect_records(slicing);
    }
  }
}

TEST_P(CudaDeviceTest, TellsWhatItIs) {
  EXPECT_EQ(device_->info().engine, Engine::kCuda);
  EXPECT_EQ(device_->info().name, "Fake GPU");
  EXPECT_EQ(device_->info().threads, 256u);
  EXPECT_EQ(device_->info().processors, 4u);
  EXPECT_EQ(device_->info().options.layout, MemoryLayout::kInterleaved);
  EXPECT_GT(device_->info().memory_bytes, uint64_t{900} << 20);
}

// The lanes of this GPU vote alone, and so each counts for a group: one lane in 32 is useful. What
// the processors' lanes do is not measured.
TEST_P(CudaDeviceTest, ReportsWhatLanesSpent) {
  const Work work = WorkOf(kStateCases[0].wat, "run", 64);
  for (int i = 0; i < 5; ++i) {  // more than there are slots
    const auto dispatch = SeatOf(work);
    const auto report = device_->Launch(*dispatch, {});
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    uint64_t useful = 0;
    for (size_t seat = 0; seat < 64; ++seat) {
      const auto record = dispatch->records().subspan(seat * dispatch->shape().RecordWords());
      useful += record[abi::RECORD_FUEL_LO];
    }
    EXPECT_GT(useful, 0u);
    EXPECT_EQ(report->lane_fuel, (LaneFuel{useful, 32 * useful}));
    EXPECT_EQ(report->lane_fuel.UsefulLanes(), 1.0 / 32);
  }
  const auto alone = Seat(Cpu(), BuildOn(Cpu(), work.module), work);
  EXPECT_EQ(Cpu().Launch(*alone, {})->lane_fuel, LaneFuel());
}

TEST_P(CudaDeviceTest, KnowsWhatAPipelineTakes) {
  gpu_.warps = 20;
  const PipelineRef pipeline = BuildOn(*device_, WorkOf(kSpin, "forever", 3).module);
  const PipelineFacts facts = pipeline->facts();
  EXPECT_GT(facts.code_bytes, 1000u);
  EXPECT_EQ(facts.registers, 102u);
  EXPECT_EQ(facts.local_bytes, 24u);
  EXPECT_EQ(facts.shared_bytes, 16u);
  EXPECT_EQ(facts.block_threads, 128u);
  EXPECT_EQ(facts.lanes_per_processor, 640u);
  EXPECT_GT(BuildOn(Cpu(), WorkOf(kSpin, "forever", 3).module)->facts().code_bytes, 1000u);
}

TEST_P(CudaDeviceTest, LaunchesHaveTheLeastPriorityWhereTheyAreToGiveWay) {
  EXPECT_TRUE(gpu_.stream_priorities.empty());
  CudaSettings settings;
  settings.low_priority = true;
  Open(settings);
  EXPECT_EQ(gpu_.stream_priorities, std::vector<int>(3, FakeGpu::kLeastPriority));
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(20);
  EXPECT_TRUE(device_->Launch(*dispatch, limits).ok());
}

TEST_P(CudaDeviceTest, ADriverWithoutPrioritiesServesAsWell) {
  gpu_.driver_has_priorities = false;
  CudaSettings settings;
  settings.low_priority = true;
  Open(settings);
  EXPECT_TRUE(gpu_.stream_priorities.empty());
}

TEST_P(CudaDeviceTest, ALaunchEndsWhenItsTimeIsOver) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(20);
  for (int i = 0; i < 3; ++i) {
    const auto report = device_->Launch(*dispatch, limits);
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    EXPECT_EQ(report->seats_left, 3u);
  }
  EXPECT_EQ(launches(), 3u);
}

TEST_P(CudaDeviceTest, StopEndsALaunchAndNotTheNext) {
  const auto spinning = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  std::thread stopper([this] {
    while (launches() == 0) std::this_thread::yield();
    device_->Stop();
  });
  EXPECT_EQ(device_->Launch(*spinning, limits)->seats_left, 3u);
  stopper.join();
  device_->Stop();  // nothing runs: no effect
  const Work work = WorkOf(kSpin, "twice");
  const auto dispatch = SeatOf(work);
  EXPECT_EQ(device_->Launch(*dispatch, limits)->seats_left, 0u);
}

TEST_P(CudaDeviceTest, InputsGoUpOnlyWhenASeatWasWritten) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  const uint64_t before = gpu_.uploads();
  LaunchLimits limits;
  limits.slice_fuel = 10;
  limits.seats_written = false;  // the first launch needs them all the same
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(device_->Launch(*dispatch, limits).ok());
  const uint64_t posts = GetParam() ? 1 : 0;  // of a launch
  EXPECT_EQ(gpu_.uploads(), before + 1 + 4 * posts);
  dispatch->records()[0] = abi::SEAT_EMPTY;
  limits.seats_written = true;
  EXPECT_EQ(device_->Launch(*dispatch, limits)->seats_left, 2u);
  EXPECT_EQ(gpu_.uploads(), before + 2 + 5 * posts);
  EXPECT_EQ(SeatState(*dispatch, 0), abi::SEAT_EMPTY);
}

TEST_P(CudaDeviceTest, TwoLaunchesAreUnderWayAndReportInTheirOrder) {
  const Work work = WorkOf(kSpin, "twice");
  const auto spinning = SeatOf(WorkOf(kSpin, "forever", 3));
  const auto dispatch = SeatOf(work);
  LaunchLimits limits;
  limits.max_duration = std::chrono::milliseconds(5);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(device_->Begin(*spinning, limits).ok());
    ASSERT_TRUE(device_->Begin(*dispatch, limits).ok());
    EXPECT_EQ(device_->Await()->seats_left, 3u);
    ASSERT_TRUE(device_->Begin(*spinning, limits).ok());
    EXPECT_EQ(device_->Await()->seats_left, 0u);
    EXPECT_EQ(device_->Await()->seats_left, 3u);
  }
  EXPECT_EQ(launches(), 60u);
}

TEST_P(CudaDeviceTest, AStopEndsBothLaunchesUnderWay) {
  const auto first = SeatOf(WorkOf(kSpin, "forever", 3));
  const auto second = SeatOf(WorkOf(kSpin, "forever", 5));
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  std::thread stopper([this] {
    while (launches() == 0) std::this_thread::yield();
    device_->Stop();
    while (launches() == 1) std::this_thread::yield();
    device_->Stop();  // this machine's GPU runs the first before the second is begun
  });
  ASSERT_TRUE(device_->Begin(*first, limits).ok());
  ASSERT_TRUE(device_->Begin(*second, limits).ok());
  EXPECT_EQ(device_->Await()->seats_left, 3u);
  EXPECT_EQ(device_->Await()->seats_left, 5u);
  stopper.join();
}

TEST_P(CudaDeviceTest, ALaunchThatDoesNotBeginLeavesTheOthersAlone) {
  const Work work = WorkOf(kSpin, "twice");
  const auto first = SeatOf(work);
  const auto second = SeatOf(work);
  ASSERT_TRUE(device_->Begin(*first, {}).ok());
  gpu_.Fail("launch", 700);
  EXPECT_EQ(device_->Begin(*second, {}).reason(), Reason::kDeviceLost);
  gpu_.Fail("", 0);
  EXPECT_EQ(device_->Await()->seats_left, 0u);
  ASSERT_TRUE(device_->Begin(*second, {}).ok());
  EXPECT_EQ(device_->Await()->seats_left, 0u);
}

TEST_P(CudaDeviceTest, EverythingIsGivenBack) {
  const uint64_t before = gpu_.allocations();
  {
    const auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
    EXPECT_GT(gpu_.allocations(), before);
  }
  EXPECT_EQ(gpu_.allocations(), before);
  device_.reset();
  EXPECT_EQ(gpu_.allocations(), 0u);
}

TEST_P(CudaDeviceTest, WhatDoesNotFitIsRefusedWithNumbersAndCostsNothing) {
  Open({.memory_bytes = uint64_t{8} << 20});
  Work work = WorkOf("(module (memory 1 4) (func (export \"run\") (param i32)))", "run", 64);
  work.capacity_pages = 4;
  const PipelineRef pipeline = BuildOn(*device_, work.module);
  const uint64_t before = gpu_.allocations();
  const auto refused = device_->Allocate(pipeline, work.Shape());
  EXPECT_EQ(refused.status().reason(), Reason::kNoDeviceFits) << refused.status().ToString();
  EXPECT_NE(refused.status().message().find("[8388608]"), std::string::npos);
  gpu_.SetMemory(1 << 20);  // less than the budget says
  work.capacity_pages = 1;
  EXPECT_EQ(device_->Allocate(pipeline, work.Shape()).status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(gpu_.allocations(), before);
  gpu_.SetMemory(uint64_t{1} << 30);
  EXPECT_TRUE(device_->Allocate(pipeline, work.Shape()).ok());
}

TEST_P(CudaDeviceTest, AFaultIsALostDevice) {
  const Work work = WorkOf(kSpin, "twice");
  for (const char* call : {"launch", "event_synchronize", "copy_to_device", "copy_to_host"}) {
    Open({});
    const auto dispatch = SeatOf(work);
    gpu_.Fail(call, 700);
    const auto report = device_->Launch(*dispatch, {});
    EXPECT_EQ(report.status().reason(), Reason::kDeviceLost) << call;
    EXPECT_NE(report.status().message().find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos)
        << report.status().ToString();
    gpu_.Fail("", 0);
  }
}

TEST_P(CudaDeviceTest, ABinaryThatDoesNotLoadIsNoLostDevice) {
  const Work work = WorkOf(kSpin, "twice");
  const KernelSource source = *EmitKernel(*work.module, device_->info().options);
  Bytes cubin = *device_->Build(*work.module, source);
  std::fill(cubin.begin() + 8, cubin.begin() + 64, uint8_t{0});
  EXPECT_EQ(device_->Load(work.module, cubin).status().reason(), Reason::kCompileFailed);
  gpu_.Fail("module_load", 700);
  EXPECT_EQ(device_->Load(work.module, cubin).status().reason(), Reason::kDeviceLost);
}

TEST_P(CudaDeviceTest, SeveralCubinsAreLinked) {
  gpu_.cubins = 3;
  const Work work = WorkOf(kSpin, "twice");
  const KernelSource source = *EmitKernel(*work.module, device_->info().options);
  const Bytes binary = *device_->Build(*work.module, source);
  const auto dispatch = Seat(*device_, *device_->Load(work.module, binary), work);
  RunToEnd(*device_, *dispatch);
  const std::vector<uint32_t> wanted = Records(Cpu(), work);
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()));
  for (const char* call : {"link_add", "link_complete"}) {
    gpu_.Fail(call, 209);
    EXPECT_EQ(device_->Load(work.module, binary).status().reason(), Reason::kCompileFailed) << call;
    gpu_.Fail(call, 700);
    EXPECT_EQ(device_->Load(work.module, binary).status().reason(), Reason::kDeviceLost) << call;
  }
  gpu_.Fail("", 0);
  const ByteView half = ByteView(binary).first(binary.size() / 2);
  EXPECT_EQ(device_->Load(work.module, half).status().reason(), Reason::kCompileFailed);
}

TEST_P(CudaDeviceTest, SettingsThatCannotBeAreRefusedByName) {
  const auto reason = [this](const CudaSettings& settings) {
    return CreateCudaDevice(settings, gpu_.Parts()).status().ToString();
  };
  EXPECT_NE(reason({.ordinal = 3}).find("no GPU [3]"), std::string::npos);
  EXPECT_NE(reason({.block_threads = 100}).find("[100]"), std::string::npos);
  EXPECT_NE(reason({.block_threads = 2048}).find("[2048]"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Ways, CudaDeviceTest, testing::Bool(),
                         [](const auto& way) { return way.param ? "Resident" : "Streams"; });

TEST(CudaPlacesTest, AMissingLibraryIsNamedWithEveryPlaceLookedAt) {
  const auto driver = OpenCudaDriver("/nowhere/libcuda.so.1");
  EXPECT_EQ(driver.status().reason(), Reason::kConfigInvalid);
  EXPECT_NE(driver.status().message().find("[/nowhere/libcuda.so.1]"), std::string::npos);
}

}  // namespace
}  // namespace wb::test
