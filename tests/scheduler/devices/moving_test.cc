// Lanes go from one dispatch to another midway, by their images, and end as if they had stayed.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/basic_cases.h"
#include "tests/scheduler/devices/cuda_rig.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

// A place to run: lanes, reserves and queue as its own work says.
struct Stop {
  std::string name;
  Device* device = nullptr;
  PipelineRef pipeline;
  Work work;
};

// A GPU made of this processor; one at a time.
class Gpu {
 public:
  Gpu() : device_(std::move(CreateCudaDevice({}, gpu_.Parts())).value()) {}
  Device* device() { return device_.get(); }
  FakeGpu& fake() { return gpu_; }

 private:
  FakeGpu gpu_;
  std::unique_ptr<Device> device_;
};

std::vector<NamedDevice> MovingEngines(Gpu& gpu) {
  std::vector<NamedDevice> engines;
  for (const NamedDevice& engine : Engines()) {
    if (engine.device->info().moves_lanes) engines.push_back(engine);
  }
  engines.push_back({"cuda", gpu.device()});
  return engines;
}

PipelineRef PipelineOn(const NamedDevice& engine, const Work& work) {
  if (engine.name == "cuda") return BuildOn(*engine.device, work.module);
  return LoadOn(*engine.device, work.module);
}

// Every engine, roomy and with a queue of seats.
std::vector<Stop> StopsOf(const Work& work, Gpu& gpu) {
  std::vector<Stop> stops;
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    Stop stop{engine.name, engine.device, PipelineOn(engine, work), work};
    stop.work.capacity_pages = 5;
    stops.push_back(stop);
    stop.name += " queued";
    stop.work.seats = work.lanes + 7;
    stop.work.capacity_pages = 4;
    stops.push_back(stop);
  }
  return stops;
}

struct Traveller {
  uint32_t number = 0;  // lane 0 of the work has number 0, and so on
  std::shared_ptr<const LaneImage> image;
};

class Journey {
 public:
  explicit Journey(const Work& work)
      : work_(work), words_(work.Shape().RecordWords()), records_(words_ * work.lanes) {
    for (uint32_t i = 0; i < work.lanes; ++i) travellers_.push_back({i, nullptr});
  }
  bool over() const { return travellers_.empty(); }
  uint32_t moved() const { return moved_; }
  const std::vector<uint32_t>& records() const { return records_; }

  // One launch there for all who are left; they sit in another order than before.
  void RunAt(const Stop& stop, const LaunchLimits& limits) {
    std::rotate(travellers_.begin(), travellers_.begin() + travellers_.size() / 3,
                travellers_.end());
    const auto dispatch = Seated(stop);
    ASSERT_TRUE(stop.device->Launch(*dispatch, limits).ok());
    TakeOut(stop, *dispatch);
  }

 private:
  std::span<uint32_t> Record(Dispatch& dispatch, size_t seat) {
    return dispatch.records().subspan(seat * words_, words_);
  }

  std::unique_ptr<Dispatch> Seated(const Stop& stop) {
    Work work = stop.work;
    for (auto& column : work.columns) column.clear();
    auto dispatch = Seat(*stop.device, stop.pipeline, work);
    std::vector<LanePlace> places;
    for (uint32_t seat = 0; seat < dispatch->shape().Seats(); ++seat) {
      const bool taken = seat < travellers_.size();
      const auto record = Record(*dispatch, seat);
      if (!taken) record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
      if (!taken) record[abi::RECORD_QUEUED] = 0;
      if (!taken) continue;
      dispatch->columns()[seat] = work_.columns[0][travellers_[seat].number];
      if (travellers_[seat].image) places.push_back({seat, travellers_[seat].image});
    }
    const auto put = stop.device->PutIn(*dispatch, places);
    EXPECT_TRUE(put.ok());
    for (const Status& status : *put) EXPECT_TRUE(status.ok()) << status.ToString() << stop.name;
    moved_ += static_cast<uint32_t>(places.size());
    return dispatch;
  }

  void TakeOut(const Stop& stop, Dispatch& dispatch) {
    std::vector<uint32_t> seats(travellers_.size());
    std::iota(seats.begin(), seats.end(), 0u);
    const auto images = stop.device->GiveOut(dispatch, seats);
    ASSERT_TRUE(images.ok());
    std::vector<Traveller> left;
    for (size_t seat = 0; seat < travellers_.size(); ++seat) {
      const auto record = Record(dispatch, seat);
      const uint32_t state = record[abi::RECORD_SEAT];
      Traveller traveller{travellers_[seat].number, nullptr};
      ASSERT_EQ((*images)[seat].has_value(), state == abi::SEAT_RUNNING) << stop.name;
      if (state == abi::SEAT_DONE) {
        std::copy(record.begin(), record.end(),
                  records_.begin() + static_cast<ptrdiff_t>(words_ * traveller.number));
        continue;
      }
      if (state == abi::SEAT_RUNNING) {
        EXPECT_LE((*images)[seat]->bytes(),
                  MostImageBytes(stop.work.module->layout, dispatch.shape(), record));
        traveller.image = std::make_shared<LaneImage>(*std::move((*images)[seat]));
      }
      left.push_back(std::move(traveller));
    }
    travellers_ = std::move(left);
  }

  const Work& work_;
  const size_t words_;
  std::vector<uint32_t> records_;
  std::vector<Traveller> travellers_;
  uint32_t moved_ = 0;
};

class Moving : public testing::TestWithParam<AgreementCase> {
 protected:
  void SetUp() override {
    work_.module = LowerText(GetParam().wat);
    work_.steps = {Call("run", {ColumnArg(0)}, true)};
    work_.max_fuel = 1u << 20;
    work_.output_bytes = GetParam().output_bytes;
    if (work_.output_bytes != 0) work_.steps.push_back(Read(0, work_.output_bytes));
    work_.steps.push_back(Call("run", {ColumnArg(0)}));
    work_.columns.resize(1);
    for (uint32_t lane = 0; lane < work_.lanes; ++lane) work_.columns[0].push_back(lane);
  }
  Gpu gpu_;
  Work work_;
};

TEST_P(Moving, FromEveryEngineToEveryOther) {
  const size_t words = work_.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), work_), words);
  const std::vector<Stop> stops = StopsOf(work_, gpu_);
  LaunchLimits limits;
  limits.slice_fuel = 3;
  limits.slice_step = 1;
  uint32_t moved = 0;
  for (size_t from = 0; from < stops.size(); ++from) {
    for (size_t to = from; to < stops.size(); ++to) {
      Journey journey(work_);
      for (size_t i = 0; !journey.over() && i < 20000; ++i) {
        limits.slice_fuel = uint64_t{3} << (i < 8 ? 0 : std::min<size_t>(i - 8, 16));
        journey.RunAt(stops[i % 2 == 0 ? from : to], limits);
        if (HasFatalFailure()) return;
      }
      ASSERT_EQ(OfInstances(journey.records(), words), wanted)
          << stops[from].name << " and " << stops[to].name;
      moved += journey.moved();
    }
  }
  EXPECT_GT(moved, 0u);
}

// Writes memory that grows, and gives back what it found there.
constexpr const char* kGrows = R"((module (memory 0 4)
    (func (export "run") (param $n i32) (result i32) (local $i i32) (local $sum i32)
      (drop (memory.grow (i32.const 1)))
      (loop $l
        (local.set $sum (i32.add (i32.rotl (local.get $sum) (i32.const 1))
          (i32.load (i32.mul (local.get $i) (i32.const 4096)))))
        (i32.store (i32.mul (local.get $i) (i32.const 4096)) (local.get $n))
        (if (i32.and (local.get $i) (i32.const 8)) (then (drop (memory.grow (i32.const 1)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 16))))
      (i32.add (local.get $sum) (memory.size)))))";

class MovingGrows : public testing::Test {
 protected:
  MovingGrows() {
    work_.module = LowerText(kGrows);
    work_.steps = {Call("run", {ColumnArg(0)})};
    work_.columns.resize(1);
    for (uint32_t lane = 0; lane < work_.lanes; ++lane) work_.columns[0].push_back(lane + 1);
  }
  void StartAll(Dispatch& dispatch) {
    const size_t words = dispatch.shape().RecordWords();
    for (size_t at = 0; at < dispatch.records().size(); at += words) {
      const std::span<uint32_t> record = dispatch.records().subspan(at, words);
      std::fill(record.begin() + abi::RECORD_END, record.end(), 0);
      MarkStart(record);
    }
  }
  std::vector<LanePlace> Left(Device& device, uint64_t fuel) {
    const auto dispatch = Seat(device, LoadOn(device, work_.module), work_);
    LaunchLimits limits;
    limits.slice_fuel = fuel;
    EXPECT_TRUE(device.Launch(*dispatch, limits).ok());
    std::vector<uint32_t> seats(work_.lanes);
    std::iota(seats.begin(), seats.end(), 0u);
    auto images = device.GiveOut(*dispatch, seats);
    std::vector<LanePlace> places;
    for (uint32_t seat : seats) {
      EXPECT_TRUE((*images)[seat].has_value());
      places.push_back({seat, std::make_shared<LaneImage>(*std::move((*images)[seat]))});
    }
    return places;
  }
  Gpu gpu_;
  Work work_;
};

// A driver's error is the device's end, whichever way a lane goes.
TEST_F(MovingGrows, AGpuThatFails) {
  Device& gpu = *gpu_.device();
  const std::vector<LanePlace> places = Left(Cpu(), 100);
  const auto dispatch = Seat(gpu, BuildOn(gpu, work_.module), work_);
  gpu_.fake().Fail("copy_to_device", 700);
  EXPECT_EQ(gpu.PutIn(*dispatch, places).status().reason(), Reason::kDeviceLost);
  gpu_.fake().Fail("copy_to_host", 700);
  const std::vector<uint32_t> seats = {0, 1};
  EXPECT_EQ(gpu.GiveOut(*dispatch, seats).status().reason(), Reason::kDeviceLost);
  gpu_.fake().Fail("", 0);
}

// Neither who is put in nor who starts there later finds anything of those who were there before.
TEST_F(MovingGrows, IntoLanesWhereOthersWere) {
  const size_t words = work_.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), work_), words);
  for (const NamedDevice& engine : MovingEngines(gpu_)) {
    for (const uint64_t fuel : {uint64_t{1}, uint64_t{100}, uint64_t{250}}) {
      const std::vector<LanePlace> places = Left(Cpu(), fuel);
      const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
      for (const bool moved : {false, true, true, false, true, false, false}) {
        StartAll(*dispatch);
        if (moved) {
          const auto put = engine.device->PutIn(*dispatch, places);
          ASSERT_TRUE(put.ok() && (*put)[0].ok()) << put.status().ToString();
        }
        RunToEnd(*engine.device, *dispatch);
        const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
        ASSERT_EQ(OfInstances(got, words), wanted) << engine.name << moved << fuel;
      }
    }
  }
}

// What a broken engine might give out is refused, and whoever was to go on with it starts again.
TEST_F(MovingGrows, WhatDoesNotFitIsRefused) {
  const auto wanted = Records(Cpu(), work_);
  const std::vector<LanePlace> places = Left(Cpu(), 200);
  const LaneImage& sound = *places[0].image;
  const auto frame = 1 + work_.module->layout.frames_at;
  const auto header = [](uint32_t word) { return 1 + word; };
  const std::vector<std::function<void(LaneImage&)>> harms = {
      [](LaneImage& image) { image.form.bytes[0] ^= 1; },
      [](LaneImage& image) { image.record.clear(); },
      [](LaneImage& image) { image.record.push_back(0); },
      [](LaneImage& image) { image.state.clear(); },
      [](LaneImage& image) { image.state.pop_back(); },
      [](LaneImage& image) { image.state.push_back(0); },
      [](LaneImage& image) { image.state.resize(10); },
      [](LaneImage& image) { image.state[0] = 1; },
      [](LaneImage& image) { image.state[0] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_PAGES)] = 17; },
      [=](LaneImage& image) { image.state[header(abi::LANE_PAGES)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_STEP)] = 9; },
      [=](LaneImage& image) { image.state[header(abi::LANE_STEP)] = 0; },
      [=](LaneImage& image) { image.state[header(abi::LANE_RESUME)] = 2; },
      [=](LaneImage& image) { image.state[header(abi::LANE_OUT_BYTES)] = 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FUNCTION)] = 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FUNCTION)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_BASE)] = 3; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_BASE)] = ~0u; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_ROOM)] -= 1; },
      [=](LaneImage& image) { image.state[header(abi::LANE_ROOT_FRESH)] = 1; },
      [=](LaneImage& image) { image.state[frame] = 0; },
      [=](LaneImage& image) { image.state[frame] = 99; },
  };
  for (const NamedDevice& engine : MovingEngines(gpu_)) {
    const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
    for (size_t i = 0; i < harms.size(); ++i) {
      auto image = std::make_shared<LaneImage>(sound);
      harms[i](*image);
      const std::vector<LanePlace> harmed = {{0, image}};
      const auto put = engine.device->PutIn(*dispatch, harmed);
      ASSERT_TRUE(put.ok());
      EXPECT_EQ((*put)[0].reason(), Reason::kInvalidArgument) << engine.name << i;
    }
    const std::vector<LanePlace> nowhere = {{99, places[0].image}};
    EXPECT_FALSE((*engine.device->PutIn(*dispatch, nowhere))[0].ok());
    RunToEnd(*engine.device, *dispatch);
    const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
    ASSERT_EQ(got, wanted) << engine.name;
  }
}

TEST_F(MovingGrows, LargerThanTheReserve) {
  const std::vector<LanePlace> places = Left(Cpu(), 300);
  work_.capacity_pages = 1;
  const auto dispatch = Seat(Cpu(), LoadOn(Cpu(), work_.module), work_);
  const auto put = Cpu().PutIn(*dispatch, places);
  ASSERT_TRUE(put.ok());
  EXPECT_EQ((*put)[0].reason(), Reason::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(Modules, Moving, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(State, Moving, testing::ValuesIn(kStateCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace wb::test
