// The metal device over the stand-in for Metal: records as everywhere, however memory is to be had;
// launches in slices; archives; what is given back. Faults: metal_fault_test.cc.

#include <gtest/gtest.h>

#include <thread>

#include "scheduler/devices/metal/metal_binary.h"
#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/metal_rig.h"

namespace wb::test {
namespace {

using std::chrono::milliseconds;

class MetalDeviceTest : public MetalTest {
 protected:
  static Work OnePage(uint32_t lanes) {
    Work work = WorkOf(kStateCases[0].wat, "run", lanes);
    work.capacity_pages = work.max_pages = 1;
    return work;
  }

  // Of a module with tables, segments and memory, on 150 lanes, cut in several ways.
  void ExpectRecordsOfTheCpu() {
    const AgreementCase& test = kStateCases[0];
    Work work = OnePage(150);
    work.output_bytes = test.output_bytes;
    work.steps.push_back(Read(0, work.output_bytes));
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    const PipelineRef pipeline = BuildOn(*device_, work.module);
    for (const uint32_t lanes : {150u, 70u}) {
      work.seats = lanes == 150 ? 0 : 150;
      work.lanes = lanes;
      for (const Slicing& slicing : {Slicing{}, Slicing{1, 1}, Slicing{1000, 7, 13}}) {
        const auto dispatch = Seat(*device_, pipeline, work);
        RunToEnd(*device_, *dispatch, slicing);
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), dispatch->records().begin()))
            << "slice " << slicing.slice << " lanes " << lanes;
      }
    }
  }
};

TEST_F(MetalDeviceTest, TellsWhatItIs) {
  EXPECT_EQ(device_->info().engine, Engine::kMetal);
  EXPECT_EQ(device_->info().name, "Stand-in");
  EXPECT_EQ(device_->info().options.layout, MemoryLayout::kInterleaved);
  EXPECT_EQ(device_->info().options.floats, Floats::kMetal);
  EXPECT_EQ(device_->info().memory_bytes, uint64_t{1} << 33) << "half of the working set";
  EXPECT_NE(device_->info().target.find("Stand-in"), std::string::npos);
}

// The lanes of the stand-in vote alone, and the first of each group counts for all.
TEST_F(MetalDeviceTest, ReportsWhatLanesSpentInAllSlices) {
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 64));
  LaunchLimits limits;
  limits.slice_fuel = 1000;
  for (int i = 0; i < 2; ++i) {
    const auto report = device_->Launch(*dispatch, limits);
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    EXPECT_GE(report->lane_fuel.useful, 2 * 1000u);
    EXPECT_EQ(report->lane_fuel.resident, 32 * report->lane_fuel.useful);
  }
}

TEST_F(MetalDeviceTest, LaneStateMayLieInSeveralBuffers) {
  // One page and some frames: a group of 32 lanes has a little over 2 MiB.
  Open({.max_buffer_bytes = 6 << 20});
  const uint64_t before = standin::Counted().buffers;
  const auto dispatch = SeatOf(OnePage(150));
  // Of three parts, with the region, the program and the pipeline's image.
  EXPECT_EQ(standin::Counted().buffers, before + 6);
  ExpectRecordsOfTheCpu();
}

TEST_F(MetalDeviceTest, LanesThatTakeSeatsAreCountedOverAllBuffers) {
  Open({.max_buffer_bytes = 6 << 20});
  Work work = WorkOf(kSpin, "forever", 300);
  work.capacity_pages = work.max_pages = 1;
  work.lanes = 150;
  work.seats = 300;
  const auto dispatch = SeatOf(work);
  const auto running = [&](uint32_t lanes) {
    LaunchLimits limits;
    limits.slice_fuel = 100;
    limits.occupancy.lanes = lanes;
    EXPECT_TRUE(device_->Launch(*dispatch, limits).ok());
    return CountSeats(*dispatch, abi::SEAT_RUNNING);
  };
  EXPECT_EQ(running(96), 96u);
  EXPECT_EQ(running(0), 150u);
}

TEST_F(MetalDeviceTest, AGroupThatNoBufferHoldsIsRefused) {
  Open({.max_buffer_bytes = 1 << 20});
  const Work work = OnePage(32);
  const auto refused = device_->Allocate(BuildOn(*device_, work.module), work.Shape());
  EXPECT_EQ(refused.status().reason(), Reason::kNoDeviceFits) << refused.status().ToString();
  EXPECT_NE(refused.status().message().find("[1048576]"), std::string::npos);
}

TEST_F(MetalDeviceTest, AnInputThatNoBufferHoldsIsRefused) {
  MetalSettings settings;
  settings.max_buffer_bytes = 1 << 20;
  Open(settings);
  const Bytes bytes((1 << 20) + 1);
  InputBytes input;
  input.bytes = bytes;
  const auto kept = device_->Keep(input);
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.status().message(),
            "Metal has no buffer of [1048580] bytes; its longest has [1048576].");
  input.bytes = input.bytes.first(1 << 20);
  EXPECT_TRUE(device_->Keep(input).ok());
}

TEST_F(MetalDeviceTest, HostMemoryIsCopiedWhereItCannotBeWrapped) {
  traits_.wraps_host_memory = false;
  standin::Set(traits_);
  ExpectRecordsOfTheCpu();
}

TEST_F(MetalDeviceTest, ALaunchIsARowOfShortSlicesWithTwoInFlight) {
  Open({.options = {.slice = milliseconds(5)}});
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = milliseconds(300);
  const auto report = device_->Launch(*dispatch, limits);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->seats_left, 3u);
  const standin::Counts counts = standin::Counted();
  EXPECT_EQ(counts.most_in_flight, 2u);
  EXPECT_GE(counts.committed, 8u);
  EXPECT_LE(report->busy, milliseconds(2000));
}

TEST_F(MetalDeviceTest, AHotMacGetsOneShortSliceAtATime) {
  traits_.thermal_state = 3;
  standin::Set(traits_);
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = milliseconds(200);
  ASSERT_TRUE(device_->Launch(*dispatch, limits).ok());
  EXPECT_EQ(standin::Counted().most_in_flight, 1u);
  EXPECT_EQ(device_->Sample().thermal_state, 3u);
}

TEST_F(MetalDeviceTest, TimeAndStopNeedNoHostWriteToBeSeen) {
  traits_.sees_host_writes = false;
  standin::Set(traits_);
  Open({.options = {.slice = milliseconds(5)}});
  const auto dispatch = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = milliseconds(50);
  EXPECT_EQ(device_->Launch(*dispatch, limits)->seats_left, 3u);
  limits.max_duration = std::chrono::hours(1);
  std::thread stopper([this] {
    const uint64_t before = standin::Counted().committed;
    while (standin::Counted().committed < before + 4) std::this_thread::yield();
    device_->Stop();
  });
  EXPECT_EQ(device_->Launch(*dispatch, limits)->seats_left, 3u);
  stopper.join();
}

TEST_F(MetalDeviceTest, TheLaunchBehindStartsByItselfAndBothAreStopped) {
  const auto twice = SeatOf(WorkOf(kSpin, "twice"));
  const auto forever = SeatOf(WorkOf(kSpin, "forever", 3));
  LaunchLimits limits;
  limits.max_duration = std::chrono::hours(1);
  ASSERT_TRUE(device_->Begin(*twice, limits).ok());
  ASSERT_TRUE(device_->Begin(*forever, limits).ok());
  // Without a call of Await, slices of the second are committed all the same.
  while (standin::Counted().committed < 5) std::this_thread::yield();
  EXPECT_EQ(device_->Await()->seats_left, 0u);
  ASSERT_TRUE(device_->Begin(*twice, limits).ok());
  device_->Stop();
  EXPECT_EQ(device_->Await()->seats_left, 3u);
  EXPECT_EQ(device_->Await()->seats_left, 0u);
}

TEST_F(MetalDeviceTest, AnArchiveSparesTheCompiler) {
  const Work work = WorkOf(kSpin, "twice");
  const Bytes binary = BuildBytes(work);
  EXPECT_FALSE(DecodeMetalBinary(binary)->archive.empty());
  Open({});  // what was built is not remembered by this one
  standin::ForgetTexts();
  const uint64_t before = standin::Counted().compiled;
  ASSERT_TRUE(device_->Load(work.module, binary).ok());
  EXPECT_EQ(standin::Counted().compiled, before);
  EXPECT_EQ(standin::Counted().archive_hits, 1u);
}

TEST_F(MetalDeviceTest, WithoutAGoodArchiveTheTextIsCompiledAgain) {
  const Work work = WorkOf(kSpin, "twice");
  const Bytes good = BuildBytes(work);
  const MetalBinary parts = *DecodeMetalBinary(good);
  const Bytes broken = EncodeMetalBinary({parts.text, parts.archive.first(5)});
  traits_.keeps_archives = false;
  standin::Set(traits_);
  const Bytes bare = BuildBytes(work);
  EXPECT_TRUE(DecodeMetalBinary(bare)->archive.empty());
  for (const Bytes& binary : {broken, bare}) {
    Open({});
    standin::ForgetTexts();
    const uint64_t before = standin::Counted().compiled;
    ASSERT_TRUE(device_->Load(work.module, binary).ok());
    EXPECT_EQ(standin::Counted().compiled, before + 1);
  }
  const Bytes foreign(binary_of_nothing_.begin(), binary_of_nothing_.end());
  EXPECT_EQ(device_->Load(work.module, foreign).status().reason(), Reason::kCompileFailed);
}

TEST_F(MetalDeviceTest, EverythingIsGivenBack) {
  device_.reset();
  const uint64_t before = standin::Counted().buffers;
  Open({});
  {
    const auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
    RunToEnd(*device_, *dispatch);
    EXPECT_GT(standin::Counted().buffers, before);
  }
  device_.reset();
  EXPECT_EQ(standin::Counted().buffers, before);
}

TEST_F(MetalDeviceTest, WhatDoesNotFitIsRefusedAndCostsNothing) {
  Open({.memory_bytes = uint64_t{8} << 20});
  Work work = WorkOf("(module (memory 1 4) (func (export \"run\") (param i32)))", "run", 64);
  work.capacity_pages = 4;
  const PipelineRef pipeline = BuildOn(*device_, work.module);
  const uint64_t before = standin::Counted().buffers;
  const auto refused = device_->Allocate(pipeline, work.Shape());
  EXPECT_EQ(refused.status().reason(), Reason::kNoDeviceFits) << refused.status().ToString();
  EXPECT_NE(refused.status().message().find("[8388608]"), std::string::npos);
  traits_.memory_bytes = standin::Counted().buffer_bytes + (1 << 20);  // less than the budget says
  standin::Set(traits_);
  work.capacity_pages = 1;
  EXPECT_EQ(device_->Allocate(pipeline, work.Shape()).status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(standin::Counted().buffers, before);
  traits_.memory_bytes = uint64_t{1} << 40;
  standin::Set(traits_);
  EXPECT_TRUE(device_->Allocate(pipeline, work.Shape()).ok());
}

TEST_F(MetalDeviceTest, TheFirstLaunchIsCapturedOnRequest) {
  traits_.captures = true;
  standin::Set(traits_);
  Open({.options = {.capture = "/tmp/wasmburst-test.gputrace"}});
  const auto dispatch = SeatOf(WorkOf(kSpin, "twice"));
  RunToEnd(*device_, *dispatch);
  RunToEnd(*device_, *dispatch);
  EXPECT_EQ(standin::Counted().captures, 1u);
}

TEST_F(MetalDeviceTest, AMissingGpuIsNamedWithWhatThereIs) {
  const auto reason = [](const MetalSettings& settings) {
    return CreateMetalDevice(settings).status().ToString();
  };
  EXPECT_NE(reason({.gpu = "Apple M9"}).find("[Apple M9]"), std::string::npos);
  EXPECT_NE(reason({.gpu = "Apple M9"}).find("[Stand-in]"), std::string::npos);
  traits_.family = 1005;
  standin::Set(traits_);
  EXPECT_NE(reason({}).find("Apple7"), std::string::npos);
  EXPECT_TRUE(CreateMetalDevice({.any_gpu = true}).ok());
  traits_.devices = 0;
  standin::Set(traits_);
  EXPECT_EQ(CreateMetalDevice({}).status().reason(), Reason::kConfigInvalid);
  EXPECT_NE(reason({}).find("none"), std::string::npos);
}

}  // namespace
}  // namespace wb::test
