// Dispatches of the cuda device whose memory is mapped as their lanes grow.

#include <gtest/gtest.h>

#include <numeric>

#include "tests/scheduler/devices/cuda_rig.h"

namespace wb::test {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// 100 safepoints; then to 9 pages at once, of which words are read and written.
constexpr const char* kGrows = R"((module (memory 1 16)
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $wait (br_if $wait (i32.lt_u
      (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 100))))
    (local.set $sum (memory.grow (i32.const 8)))
    (local.set $i (i32.const 0))
    (loop $l
      (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
                               (i32.load (local.get $i))))
      (i32.store (local.get $i) (local.get $n))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 32764)))
                          (i32.const 589820))))
    (i32.add (local.get $sum) (memory.size)))))";

// Page by page to 13, lanes of different numbers at different times.
constexpr const char* kGrowsOften = R"((module (memory 1 16)
  (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
    (loop $l
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (if (i32.eqz (i32.rem_u (i32.add (local.get $i) (local.get $n)) (i32.const 10)))
        (then (local.set $sum (i32.add (local.get $sum) (memory.grow (i32.const 1))))
              (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4))
                         (local.get $i))))
      (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
        (i32.load (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)))))
      (br_if $l (i32.lt_u (local.get $i) (i32.const 120))))
    (i32.add (local.get $sum) (memory.size)))))";

// Numbers below 32 end at once.
std::string GrowsFrom32() {
  std::string wat = kGrows;
  const std::string body = "(loop $wait";
  return wat.insert(wat.find(body),
                    "(if (i32.lt_u (local.get $n) (i32.const 32)) "
                    "(then (return (i32.const 5))))");
}

class CudaMappingTest : public CudaDeviceTest {
 protected:
  static Work Mapped(const char* wat, uint32_t lanes, uint32_t seats = 0) {
    Work work = WorkOf(wat, "run", std::max(lanes, seats));
    work.lanes = lanes;
    work.seats = seats;
    work.mapped_pages = 1;
    return work;
  }
  // As a kernel leaves those who wait for memory before a memory.grow: with valid frames. They are
  // left elsewhere here, which makes no difference to who goes on.
  void LeaveWaiting(uint32_t wanted, uint32_t first, uint32_t end) {
    gpu_.after_launch = [=](uint32_t* records, const abi::Params& params) {
      const uint32_t seats = params.seats != 0 ? params.seats : params.lanes;
      for (uint32_t seat = first; seat < std::min(end, seats); ++seat) {
        uint32_t* record = records + uint64_t{seat} * params.record_words;
        if (record[abi::RECORD_SEAT] != abi::SEAT_RUNNING) continue;
        record[abi::RECORD_SEAT] = abi::SEAT_NEEDS_MEMORY;
        record[abi::RECORD_WANTED_PAGES] = wanted;
      }
    };
  }
  LaunchReport LaunchOnce(Dispatch& dispatch, uint64_t fuel, bool written = false) {
    LaunchLimits limits;
    limits.max_duration = std::chrono::hours(1);
    limits.slice_fuel = fuel;
    limits.seats_written = written;
    const auto report = device_->Launch(dispatch, limits);
    EXPECT_TRUE(report.ok()) << report.status().ToString();
    return report.ok() ? *report : LaunchReport();
  }
  static uint32_t CountIn(Dispatch& dispatch, uint32_t state) {
    uint32_t count = 0;
    for (uint32_t seat = 0; seat < dispatch.shape().Seats(); ++seat) {
      count += SeatState(dispatch, seat) == state ? 1 : 0;
    }
    return count;
  }
  void ExpectRecord(Dispatch& dispatch, const Work& work, uint32_t seat) {
    const std::vector<uint32_t> wanted = Records(Cpu(), work);
    const size_t words = work.Shape().RecordWords();
    EXPECT_EQ(OfInstances(dispatch.records().subspan(seat * words, words), words),
              OfInstances(std::span(wanted).subspan(seat * words, words), words))
        << seat;
  }
  void ExpectRecords(Dispatch& dispatch, const Work& work) {
    const size_t words = work.Shape().RecordWords();
    EXPECT_TRUE(OfInstances(dispatch.records(), words) == OfInstances(Records(Cpu(), work), words));
  }
};

TEST_P(CudaMappingTest, WhoWaitsForMemoryGoesOnWithIt) {
  const Work work = Mapped(kGrows, 70);
  const auto dispatch = SeatOf(work);
  const uint64_t before = gpu_.used_bytes();
  LeaveWaiting(9, 0, 70);
  EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 70u);
  EXPECT_EQ(CountIn(*dispatch, abi::SEAT_RUNNING), 70u);
  EXPECT_EQ(gpu_.used_bytes(), before + 3 * 16 * kMiB);
  EXPECT_EQ(dispatch->records()[abi::RECORD_WANTED_PAGES], 0u);
  gpu_.after_launch = {};
  // Their records go up although nobody else has written any.
  EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
  ExpectRecords(*dispatch, work);
}

// Lanes take seats out of their order, and who starts there later finds the memory.
TEST_P(CudaMappingTest, QueuedSeatsToo) {
  const Work work = Mapped(kGrows, 40, 90);
  const auto dispatch = SeatOf(work);
  LeaveWaiting(9, 0, 90);
  EXPECT_GE(LaunchOnce(*dispatch, 40, true).seats_left, 40u);
  EXPECT_EQ(CountIn(*dispatch, abi::SEAT_RUNNING), 40u);
  EXPECT_EQ(CountIn(*dispatch, abi::SEAT_START), 50u);
  gpu_.after_launch = {};
  EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
  ExpectRecords(*dispatch, work);
}

// Lanes 0 to 63 hold seats 32 to 95, so seat 40 is in the first group.
TEST_P(CudaMappingTest, ASeatsLaneIsTheOneThatHoldsIt) {
  const std::string wat = GrowsFrom32();
  const Work work = Mapped(wat.c_str(), 64, 128);
  const auto dispatch = SeatOf(work);
  LeaveWaiting(9, 40, 41);
  LaunchOnce(*dispatch, 300, true);
  EXPECT_EQ(CountIn(*dispatch, abi::SEAT_RUNNING), 64u);
  EXPECT_EQ(SeatState(*dispatch, 95), abi::SEAT_RUNNING);
  gpu_.after_launch = {};
  LaunchOnce(*dispatch, uint64_t{1} << 62);
  ExpectRecord(*dispatch, work, 40);
}

TEST_P(CudaMappingTest, OnlyTheGroupThatNeedsItGrows) {
  const auto dispatch = SeatOf(Mapped(kGrows, 64));
  const uint64_t before = gpu_.used_bytes();
  LeaveWaiting(9, 40, 41);
  EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 64u);
  EXPECT_EQ(gpu_.used_bytes(), before + 16 * kMiB);
  LeaveWaiting(9, 40, 42);  // there already
  EXPECT_EQ(LaunchOnce(*dispatch, 40).seats_left, 64u);
  EXPECT_EQ(gpu_.used_bytes(), before + 16 * kMiB);
}

// Who must start again, wants more than there are addresses for, or for whom there is no memory.
TEST_P(CudaMappingTest, OthersWaitOn) {
  for (const uint32_t wanted : {0u, 17u, ~0u}) {
    const auto dispatch = SeatOf(Mapped(kGrows, 64));
    const uint64_t before = gpu_.used_bytes();
    LeaveWaiting(wanted, 0, 64);
    EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 0u);
    EXPECT_EQ(CountIn(*dispatch, abi::SEAT_NEEDS_MEMORY), 64u) << wanted;
    EXPECT_EQ(gpu_.used_bytes(), before);
  }
  for (const bool by_budget : {true, false}) {
    Open({.memory_bytes = (by_budget ? 32 : 512) * kMiB});
    const Work work = Mapped(kGrows, 64);
    const auto dispatch = SeatOf(work);
    if (!by_budget) gpu_.SetMemory(gpu_.used_bytes() + 17 * kMiB);
    LeaveWaiting(9, 0, 64);
    EXPECT_EQ(LaunchOnce(*dispatch, 40, true).seats_left, 32u);
    EXPECT_EQ(CountIn(*dispatch, abi::SEAT_NEEDS_MEMORY), 32u);
    EXPECT_EQ(dispatch->records()[63 * work.Shape().RecordWords() + abi::RECORD_WANTED_PAGES], 9u);
    gpu_.after_launch = {};
    EXPECT_EQ(LaunchOnce(*dispatch, uint64_t{1} << 62).seats_left, 0u);
    EXPECT_EQ(CountIn(*dispatch, abi::SEAT_DONE), 32u);
    gpu_.SetMemory(uint64_t{1} << 30);
  }
}

TEST_P(CudaMappingTest, WhatGrowsCountsForTheNextDispatch) {
  Open({.memory_bytes = 44 * kMiB});
  const Work work = Mapped(kGrows, 64);
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
    const auto dispatch = SeatOf(Mapped(kGrows, 64));
    LeaveWaiting(9, 0, 64);
    gpu_.Fail(call, 700);
    EXPECT_EQ(device_->Launch(*dispatch, {.slice_fuel = 40}).status().reason(), Reason::kDeviceLost)
        << call;
    gpu_.Fail("", 0);
  }
}

// Others are in the air while a kernel that stays must go for the memory.
TEST_P(CudaMappingTest, BesideOtherLaunches) {
  const Work work = Mapped(kGrows, 64);
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
    const Work work = Mapped(kGrows, 64);
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
  LaunchLimits limits;
  limits.slice_fuel = 20;
  while (LaunchOnce(*dispatch, 20).seats_left > 0) continue;
  ExpectRecords(*dispatch, work);
}

class CudaMappingMovesTest : public CudaMappingTest {
 protected:
  std::vector<LanePlace> Grown(const Work& work) {
    std::vector<LanePlace> places = Left(work, 1000);
    for (const LanePlace& place : places) EXPECT_EQ(place.image->record[abi::RECORD_PAGES], 9u);
    return places;
  }
  std::vector<LanePlace> Left(const Work& work, uint64_t fuel) {
    const auto dispatch = Seat(Cpu(), LoadOn(Cpu(), work.module), work);
    LaunchLimits limits;
    limits.slice_fuel = fuel;
    EXPECT_TRUE(Cpu().Launch(*dispatch, limits).ok());
    std::vector<uint32_t> seats(work.lanes);
    std::iota(seats.begin(), seats.end(), 0u);
    auto images = Cpu().GiveOut(*dispatch, seats);
    std::vector<LanePlace> places;
    for (const uint32_t seat : seats) {
      EXPECT_TRUE((*images)[seat].has_value());
      if (!(*images)[seat]) continue;
      places.push_back({seat, std::make_shared<LaneImage>(*std::move((*images)[seat]))});
    }
    return places;
  }
};

TEST_P(CudaMappingMovesTest, WhoComesLargerThanWhatIsMappedGetsIt) {
  const Work work = Mapped(kGrows, 40);
  const std::vector<LanePlace> places = Grown(work);
  const auto dispatch = SeatOf(work);
  const uint64_t before = gpu_.used_bytes();
  const auto put = device_->PutIn(*dispatch, places);
  ASSERT_TRUE(put.ok()) << put.status().ToString();
  for (const Status& status : *put) EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(gpu_.used_bytes(), before + 2 * 16 * kMiB);
  // ... and from there on to another one.
  LaunchOnce(*dispatch, 10, true);
  std::vector<uint32_t> seats(work.lanes);
  std::iota(seats.begin(), seats.end(), 0u);
  auto images = device_->GiveOut(*dispatch, seats);
  ASSERT_TRUE(images.ok());
  std::vector<LanePlace> further;
  for (const uint32_t seat : seats) {
    ASSERT_TRUE((*images)[seat].has_value());
    further.push_back({seat, std::make_shared<LaneImage>(*std::move((*images)[seat]))});
  }
  const auto last = SeatOf(work);
  ASSERT_TRUE(device_->PutIn(*last, further).ok());
  RunToEnd(*device_, *last);
  ExpectRecords(*last, work);
}

// It has what its group has, not the addresses for more.
TEST_P(CudaMappingMovesTest, WhoCameGrowsAsWhoWasThere) {
  const Work work = Mapped(kGrowsOften, 40);
  const std::vector<LanePlace> places = Left(work, 600);
  const auto dispatch = SeatOf(work);
  ASSERT_TRUE(device_->PutIn(*dispatch, places).ok());
  while (LaunchOnce(*dispatch, uint64_t{1} << 62, true).seats_left > 0) continue;
  for (uint32_t seat = 0; seat < work.lanes; ++seat) {
    if (SeatState(*dispatch, seat) == abi::SEAT_NEEDS_MEMORY) continue;  // to start again
    ExpectRecord(*dispatch, work, seat);
  }
}

TEST_P(CudaMappingMovesTest, WithoutMemoryForThemTheyStartAgain) {
  Open({.memory_bytes = 32 * kMiB});
  const Work work = Mapped(kGrows, 64);
  const std::vector<LanePlace> places = Grown(work);
  const auto dispatch = SeatOf(work);
  const auto put = device_->PutIn(*dispatch, places);
  ASSERT_TRUE(put.ok());
  EXPECT_TRUE((*put)[31].ok());
  EXPECT_EQ((*put)[32].reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(SeatState(*dispatch, 31), abi::SEAT_RUNNING);
  EXPECT_EQ(SeatState(*dispatch, 32), abi::SEAT_START);
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
    if (launches == 0 && CountIn(*dispatch, abi::SEAT_NEEDS_MEMORY) > 0) {
      GTEST_SKIP() << "This kernel's instances start again when they need memory.";
    }
    EXPECT_GT(launches, 3u);
    ExpectRecords(*dispatch, work);
  }
}

const auto kWay = [](const auto& way) { return way.param ? "Resident" : "Streams"; };
INSTANTIATE_TEST_SUITE_P(Ways, CudaMappingTest, testing::Bool(), kWay);
INSTANTIATE_TEST_SUITE_P(Ways, CudaMappingMovesTest, testing::Values(false), kWay);

}  // namespace
}  // namespace wb::test
