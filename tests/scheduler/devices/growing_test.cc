// A memory.grow beyond the reserve: the lane leaves before it and goes on where there is more, with
// the records and the fuel of one that had the reserve from the start.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "compiler/link/link.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/run/growing_guests.h"

namespace wb::test {
namespace {

Work GrowingWork(std::shared_ptr<const LoweredModule> module) {
  Work work = WorkOf(std::move(module));
  work.max_pages = work.capacity_pages = 40;
  work.steps = {Call("run", {ColumnArg(0)}, true), Call("run", {ColumnArg(0)})};
  return work;
}

// Runs on every thread of the interpreter: whatever a lane that resumes there does not restore is
// something else then than what it was.
void Scramble() {
  constexpr std::string_view kMany = R"((module (func (export "run") (param $n i32)
    (result i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
    (local i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64 i64)
    (local.set 1 (i64.const -1)) (local.set 2 (i64.const -1)) (local.set 3 (i64.const -1))
    (local.set 4 (i64.const -1)) (local.set 5 (i64.const -1)) (local.set 6 (i64.const -1))
    (local.set 7 (i64.const -1)) (local.set 8 (i64.const -1)) (local.set 9 (i64.const -1))
    (local.set 10 (i64.const -1)) (local.set 11 (i64.const -1)) (local.set 12 (i64.const -1))
    (local.set 13 (i64.const -1)) (local.set 14 (i64.const -1)) (local.set 15 (i64.const -1))
    (local.set 16 (i64.const -1))
    (loop $l (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get 1) (local.get 2) (local.get 3) (local.get 4) (local.get 5) (local.get 6)
    (local.get 7) (local.get 8) (local.get 9) (local.get 10) (local.get 11) (local.get 12)
    (local.get 13) (local.get 14) (local.get 15) (local.get 16))))";
  Work work;
  work.module = LowerText(kMany);
  work.steps = {Call("run", {Arg(4000)})};
  Records(Interpreter(), work);
}

struct GrowingPlace {
  std::string name;
  Device* device = nullptr;
  PipelineRef pipeline;
};

// Every engine that moves lanes, compiled ones also in another form.
std::vector<GrowingPlace> PlacesOf(const Work& work, Device& gpu) {
  std::vector<GrowingPlace> places = {{"cuda", &gpu, BuildOn(gpu, work.module)}};
  for (const NamedDevice& engine : Engines()) {
    if (!engine.device->info().moves_lanes) continue;
    places.push_back({engine.name, engine.device, LoadOn(*engine.device, work.module)});
  }
  CompileOptions flat = Cpu().info().options;
  flat.flattening = Flattening::kAlways;
  places.push_back({"flat", &Cpu(), BuildOn(Cpu(), work.module, flat)});
  return places;
}

// Instances from one dispatch to the next, each with a little more than the one before.
class Growing {
 public:
  Growing(const Work& work, const Slicing& slicing)
      : work_(work),
        slicing_(slicing),
        words_(work.Shape().RecordWords()),
        records_(words_ * work.lanes),
        images_(work.lanes) {}

  // Dispatches on these places in turn, until every instance has ended. Memories besides the first
  // may grow by half as much.
  void Run(const std::vector<GrowingPlace>& places, uint32_t seats) {
    work_.seats = seats;
    for (uint32_t pages = 1; ended_ < work_.lanes && pages <= 40; pages += 1 + pages / 3) {
      work_.capacity_pages = pages;
      work_.further_pages = pages / 2;
      RunOn(places[pages % places.size()]);
    }
    EXPECT_EQ(ended_, work_.lanes);
  }
  const std::vector<uint32_t>& records() const { return records_; }
  uint32_t moved() const { return moved_; }

 private:
  bool HasEnded(uint32_t lane) const { return records_[lane * words_] == abi::SEAT_DONE; }

  void RunOn(const GrowingPlace& place) {
    std::vector<Arrival> arrivals;
    for (uint32_t lane = 0; lane < work_.lanes; ++lane) {
      if (HasEnded(lane)) continue;
      arrivals.push_back({lane, work_.columns[0][lane], std::exchange(images_[lane], nullptr)});
      moved_ += arrivals.back().image != nullptr ? 1 : 0;
    }
    const auto dispatch = SeatArrivals(*place.device, place.pipeline, work_, arrivals);
    if (place.name == "interpreter") Scramble();
    RunToEnd(*place.device, *dispatch, slicing_);
    TakeOut(place, *dispatch);
  }

  void TakeOut(const GrowingPlace& place, Dispatch& dispatch) {
    std::vector<uint32_t> seats(work_.lanes);
    std::iota(seats.begin(), seats.end(), 0u);
    const auto images = place.device->ExportLanes(dispatch, seats);
    ASSERT_TRUE(images.ok());
    for (const uint32_t seat : seats) {
      if (HasEnded(seat)) continue;
      const auto record = RecordIn(dispatch, seat);
      if (record[abi::RECORD_SEAT] == abi::SEAT_DONE) {
        std::copy(record.begin(), record.end(),
                  records_.begin() + static_cast<ptrdiff_t>(seat * words_));
        ++ended_;
      } else if (record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY) {
        const uint32_t memory = record[abi::RECORD_WANTED_PAGES] >> abi::WANTED_MEMORY_SHIFT;
        const uint32_t beyond = memory << abi::WANTED_MEMORY_SHIFT;
        const uint32_t there = work_.module->layout.PagesOf(memory, dispatch.shape().Reserve());
        EXPECT_GT(record[abi::RECORD_WANTED_PAGES] - beyond, there) << place.name;
        ASSERT_TRUE((*images)[seat].has_value()) << place.name;
        images_[seat] = std::make_shared<LaneImage>(*(*images)[seat]);
      } else {  // queued, behind lanes that wait: it starts elsewhere
        EXPECT_EQ(record[abi::RECORD_SEAT], abi::SEAT_START) << place.name;
      }
    }
  }

  Work work_;
  const Slicing slicing_;
  const size_t words_;
  std::vector<uint32_t> records_;  // of instances that have ended
  std::vector<std::shared_ptr<const LaneImage>> images_;
  uint32_t ended_ = 0;
  uint32_t moved_ = 0;
};

class GrowingTest : public testing::Test {
 protected:
  // All of them in turns, and each alone.
  static std::vector<std::vector<GrowingPlace>> AllRoutes(const std::vector<GrowingPlace>& places) {
    std::vector<std::vector<GrowingPlace>> routes = {places};
    for (const GrowingPlace& place : places) routes.push_back({place});
    return routes;
  }
  // Each route gives what the interpreter with all memory gave.
  static void ExpectEqual(const std::vector<std::vector<GrowingPlace>>& routes, const Work& work,
                          const std::vector<Slicing>& slicings, uint32_t moved) {
    const size_t words = work.Shape().RecordWords();
    const auto wanted = OfInstances(Records(Interpreter(), work), words);
    for (const std::vector<GrowingPlace>& route : routes) {
      for (const Slicing& slicing : slicings) {
        Growing growing(work, slicing);
        growing.Run(route, 0);
        const std::string name = route.size() > 1 ? "all" : route[0].name;
        ASSERT_EQ(OfInstances(growing.records(), words), wanted) << name << " " << slicing.slice;
        EXPECT_GE(growing.moved(), moved) << name;
      }
    }
  }

  Gpu gpu_;
};

TEST_F(GrowingTest, GoesOnWhereThereIsMore) {
  const Work work = GrowingWork(LowerText(kGrowsEverywhere));
  ExpectEqual(AllRoutes(PlacesOf(work, *gpu_.device())), work, {{}, {1, 1}, {20, 3, 7}},
              4 * work.lanes);
}

TEST_F(GrowingTest, EachOfSeveralMemories) {
  std::vector<std::pair<std::string, std::shared_ptr<const Module>>> modules;
  for (const auto& [name, wat] :
       {std::pair{"heap", kGrowingHeap}, std::pair{"main", kGrowingMain}}) {
    modules.emplace_back(name, Module::Decode(MustAssemble(wat)).value());
  }
  const Work work =
      GrowingWork(Lower(Link(PartsByName(modules), {}, Instantiation::kAtStart).value()).value());
  ExpectEqual(AllRoutes(PlacesOf(work, *gpu_.device())), work, {{}, {1, 1}}, work.lanes);
}

// Fuel is compared where it would have been, and nowhere else. With each limit all engines take
// turns, and two of them, others with the next limit, run alone.
TEST_F(GrowingTest, TheLimitOfFuelIsAsExact) {
  Work work = GrowingWork(LowerText(kGrowsTwice));
  const std::vector<GrowingPlace> places = PlacesOf(work, *gpu_.device());
  work.lanes = 4;
  work.columns[0].resize(work.lanes);
  const uint64_t most = RecordOf(Records(Cpu(), work), work.Shape(), 3).fuel;
  ASSERT_LT(most, 250u);
  for (work.max_fuel = 0; work.max_fuel <= most + 1; ++work.max_fuel) {
    std::vector<Slicing> slicings(1);
    if (work.max_fuel % 3 == 0) slicings.push_back({1, 1});  // which takes its time
    std::vector<std::vector<GrowingPlace>> routes = {places};
    for (uint64_t i = 0; i < 2; ++i) {
      routes.push_back({places[(2 * work.max_fuel + work.max_fuel / 3 + i) % places.size()]});
    }
    ASSERT_NO_FATAL_FAILURE(ExpectEqual(routes, work, slicings, 0)) << work.max_fuel;
  }
}

// Where lanes take one seat after the other, instances that wait keep theirs; the others start
// elsewhere.
TEST_F(GrowingTest, WhereSeatsAreQueued) {
  Work work = GrowingWork(LowerText(kGrowsEverywhere));
  const size_t words = work.Shape().RecordWords();
  const auto wanted = OfInstances(Records(Interpreter(), work), words);
  for (const GrowingPlace& place : PlacesOf(work, *gpu_.device())) {
    for (const Slicing& slicing : {Slicing{}, Slicing{50, 3, 13}}) {
      Growing growing(work, slicing);
      growing.Run({place}, work.lanes + 7);
      ASSERT_EQ(OfInstances(growing.records(), words), wanted) << place.name;
    }
  }
}

}  // namespace
}  // namespace wb::test
