// Lanes go from one dispatch to another midway, by their images, and end as if they had stayed.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/basic_cases.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"

namespace wb::test {
namespace {

// A place to run: lanes, reserves and queue as its own work says.
struct Stop {
  std::string name;
  Device* device = nullptr;
  PipelineRef pipeline;
  Work work;
};

// Every engine, roomy and with a queue of seats.
std::vector<Stop> StopsOf(const Work& work, Gpu& gpu) {
  std::vector<Stop> stops;
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    Stop stop{engine.name, engine.device, PipelineOn(engine, work), work};
    stop.work.capacity_pages = 5;
    stop.work.further_pages = 2;
    stops.push_back(stop);
    stop.name += " queued";
    stop.work.seats = work.lanes + 7;
    stop.work.capacity_pages = 4;
    stop.work.further_pages = 3;
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

  // One launch there for all instances that are left, in an order of seats other than before.
  void RunAt(const Stop& stop, const LaunchLimits& limits) {
    std::rotate(travellers_.begin(), travellers_.begin() + travellers_.size() / 3,
                travellers_.end());
    const auto dispatch = Seated(stop);
    LaunchLimits own = limits;
    own.occupancy.tiled = ++launches_ % 2 == 0;
    ASSERT_TRUE(stop.device->Launch(*dispatch, own).ok());
    TakeOut(stop, *dispatch);
  }

 private:
  std::unique_ptr<Dispatch> Seated(const Stop& stop) {
    std::vector<Arrival> arrivals;
    for (const Traveller& traveller : travellers_) {
      const auto seat = static_cast<uint32_t>(arrivals.size());
      arrivals.push_back({seat, work_.columns[0][traveller.number], traveller.image});
      moved_ += traveller.image != nullptr ? 1 : 0;
    }
    return SeatArrivals(*stop.device, stop.pipeline, stop.work, arrivals);
  }

  void TakeOut(const Stop& stop, Dispatch& dispatch) {
    std::vector<uint32_t> seats(travellers_.size());
    std::iota(seats.begin(), seats.end(), 0u);
    const auto images = stop.device->ExportLanes(dispatch, seats);
    ASSERT_TRUE(images.ok());
    std::vector<Traveller> left;
    for (size_t seat = 0; seat < travellers_.size(); ++seat) {
      const auto record = RecordIn(dispatch, static_cast<uint32_t>(seat));
      const uint32_t state = record[abi::RECORD_SEAT];
      Traveller traveller{travellers_[seat].number, nullptr};
      const bool has_left = state == abi::SEAT_DONE && dispatch.shape().seats == 0;
      ASSERT_EQ((*images)[seat].has_value(), state == abi::SEAT_RUNNING || has_left) << stop.name;
      if (state == abi::SEAT_DONE) {
        std::copy(record.begin(), record.end(),
                  records_.begin() + static_cast<ptrdiff_t>(words_ * traveller.number));
        continue;
      }
      if (state == abi::SEAT_RUNNING) {
        EXPECT_LE((*images)[seat]->bytes(),
                  MostImageBytes(stop.work.module->layout, dispatch.shape(), record));
        traveller.image = std::make_shared<LaneImage>(*(*images)[seat]);
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
  uint32_t launches_ = 0;
};

class Moving : public testing::TestWithParam<AgreementCase> {
 protected:
  void SetUp() override {
    work_ = WorkOf(LowerText(GetParam().wat));
    work_.steps = {Call("run", {ColumnArg(0)}, true)};
    work_.max_fuel = 1u << 20;
    work_.output_bytes = GetParam().output_bytes;
    if (work_.output_bytes != 0) work_.steps.push_back(Read(0, work_.output_bytes));
    AddRoomForFrames(work_);
    work_.steps.push_back(Call("run", {ColumnArg(0)}));
  }
  Gpu gpu_;
  Work work_;
};

// A round of numbers below `count`, each of which follows each (itself too) once: the de Bruijn
// sequence of order 2, from its Lyndon words.
std::vector<size_t> RoundOfAllPairs(size_t count) {
  std::vector<size_t> round;
  for (size_t first = 0; first < count; ++first) {
    round.push_back(first);
    for (size_t second = first + 1; second < count; ++second) {
      round.push_back(first);
      round.push_back(second);
    }
  }
  return round;
}

// Each journey goes on along the round where the one before ended, so every engine is left for
// every other; the second time round, journeys are elsewhere in their program.
TEST_P(Moving, FromEveryEngineToEveryOther) {
  const size_t words = work_.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Cpu(), work_), words);
  const std::vector<Stop> stops = StopsOf(work_, gpu_);
  const std::vector<size_t> round = RoundOfAllPairs(stops.size());
  LaunchLimits limits;
  limits.slice_step = 1;
  uint32_t moved = 0;
  for (size_t at = 0; at < 2 * round.size();) {
    Journey journey(work_);
    std::string route;
    size_t launches = 0;
    for (; !journey.over() && launches < 20000; ++launches) {
      const Stop& stop = stops[round[(at + launches) % round.size()]];
      route += stop.name + ", ";
      limits.slice_fuel = uint64_t{3} << (launches < 8 ? 0 : std::min<size_t>(launches - 8, 16));
      journey.RunAt(stop, limits);
      if (HasFatalFailure()) return;
    }
    at += std::max<size_t>(launches, 2) - 1;
    ASSERT_EQ(OfInstances(journey.records(), words), wanted) << route;
    moved += journey.moved();
  }
  EXPECT_GT(moved, 0u);
}

INSTANTIATE_TEST_SUITE_P(Modules, Moving, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(State, Moving, testing::ValuesIn(kStateCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace wb::test
