// Every engine gives the same records, bit for bit, however a run is cut into slices.

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/devices/cpu/lane_dispatch.h"
#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/basic_cases.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

class Agreement : public testing::TestWithParam<AgreementCase> {
 protected:
  void SetUp() override {
    work_.module = LowerText(GetParam().wat);
    work_.steps = {Call("run", {ColumnArg(0)}, true)};
    work_.max_fuel = 1u << 20;  // a wrong branch must not run for ever
    work_.output_bytes = GetParam().output_bytes;
    if (work_.output_bytes != 0) work_.steps.push_back(Read(0, work_.output_bytes));
    AddRoomForFrames(work_);
    work_.steps.push_back(Call("run", {ColumnArg(0)}));
    work_.columns.resize(1);
    for (uint32_t lane = 0; lane < work_.lanes; ++lane) work_.columns[0].push_back(lane);
  }
  Work work_;
};

// On every engine, with each of the slicings; the pipelines are built once for a test.
void ExpectRecords(const Work& work, const std::vector<uint32_t>& wanted,
                   const std::vector<Slicing>& slicings) {
  for (const NamedDevice& engine : Engines()) {
    const PipelineRef pipeline = LoadOn(*engine.device, work.module);
    for (const Slicing& slicing : slicings) {
      const auto dispatch = Seat(*engine.device, pipeline, work);
      RunToEnd(*engine.device, *dispatch, slicing);
      const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
      ASSERT_EQ(got, wanted) << engine.name << " slice " << slicing.slice << " + lane * "
                             << slicing.step << " quantum " << slicing.quantum << " seats "
                             << work.seats;
    }
  }
}

TEST_P(Agreement, EveryEngineAndEverySliceGiveTheSameRecords) {
  const std::vector<uint32_t> wanted = Records(Cpu(), work_);
  ASSERT_EQ(RecordOf(wanted, work_.Shape(), 5).seat, abi::SEAT_DONE);
  ASSERT_GT(RecordOf(wanted, work_.Shape(), 5).fuel, 0u);
  ExpectRecords(work_, wanted,
                {Slicing{}, Slicing{1, 0}, Slicing{1, 1}, Slicing{40, 1}, Slicing{2, 3},
                 Slicing{uint64_t{1} << 62, 0, 1}, Slicing{1000, 7, 13}});
  // Few lanes that take one seat after the other.
  work_.seats = work_.lanes;
  work_.lanes = 5;
  ExpectRecords(work_, wanted, {Slicing{}, Slicing{1, 1}, Slicing{1000, 7, 13}});
}

// Where a lane can go on.
struct Place {
  Device& device;
  PipelineRef pipeline;
};

// A kernel of another form. `copies` of recursive functions, whatever their size.
PipelineRef BuildForm(const Work& work, Flattening flattening, uint32_t copies) {
  CompileOptions options = Cpu().info().options;
  options.flattening = flattening;
  options.most_copies = copies;
  options.most_copied_rows = ~0u;
  return BuildOn(Cpu(), work.module, options);
}

// After every launch all lanes move to the next place of the route, over and over; the records.
std::vector<uint32_t> RunAround(const Work& work, const std::vector<Place>& places,
                                const std::vector<size_t>& route, const LaunchLimits& limits) {
  std::vector<std::unique_ptr<Dispatch>> seats;
  for (const Place& place : places) seats.push_back(Seat(place.device, place.pipeline, work));
  Dispatch* here = seats[route[0]].get();
  uint32_t left = 1;
  for (size_t i = 0; left != 0 && i < 100000; ++i) {
    const size_t at = route[i % route.size()];
    Dispatch* next = seats[at].get();
    if (next != here) {
      std::copy(here->records().begin(), here->records().end(), next->records().begin());
      const auto from = dynamic_cast<LaneDispatch&>(*here).state();
      std::copy(from.begin(), from.end(), dynamic_cast<LaneDispatch&>(*next).state().begin());
    }
    here = next;
    left = places[at].device.Launch(*here, limits)->seats_left;
  }
  EXPECT_EQ(left, 0u);
  return {here->records().begin(), here->records().end()};
}

// A frame means the same to every engine and in every form of the text: structured, flattened, with
// any number of native copies of recursive functions. The first route takes every step between two
// places.
TEST_P(Agreement, LanesMoveBetweenEnginesAndFormsMidway) {
  const std::vector<uint32_t> wanted = Records(Cpu(), work_);
  work_.capacity_pages = 4;  // enough; all of it moves each time
  const std::vector<Place> places = {{Interpreter(), LoadOn(Interpreter(), work_.module)},
                                     {Cpu(), LoadOn(Cpu(), work_.module)},
                                     {Cpu(), BuildForm(work_, Flattening::kAlways, 0)},
                                     {Cpu(), BuildForm(work_, Flattening::kMixed, 2)}};
  LaunchLimits limits;
  limits.slice_fuel = 1;
  limits.slice_step = 2;
  EXPECT_EQ(RunAround(work_, places, {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3}, limits), wanted);
  limits.slice_fuel = 25;
  EXPECT_EQ(RunAround(work_, places, {2, 0, 3, 1}, limits), wanted);
}

// inf - inf is a NaN with the sign set on some processors. Loaded NaNs keep their bits.
TEST(FrameTest, ArithmeticNansAreCanonicalInFrames) {
  Work work;
  work.module = LowerText(R"((module (memory 1) (data (i32.const 4) "\01\00\f8\ff")
      (func (export "run") (param $bits i32) (result f64) (local $inf f32)
        (local $sum f64) (local $loaded f64) (local $i i32)
        (local.set $inf (f32.reinterpret_i32 (local.get $bits)))
        (local.set $loaded (f64.load (i32.const 0)))
        (loop $l
          (local.set $sum (f64.add (local.get $sum)
              (f64.promote_f32 (f32.sub (local.get $inf) (local.get $inf)))))
          (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                              (i32.const 50))))
        (f64.add (local.get $sum) (local.get $loaded)))))");
  work.steps = {Call("run", {Arg(0x7f800000u)})};
  work.lanes = 1;
  for (const NamedDevice& engine : Engines()) {
    const auto dispatch = Seat(*engine.device, LoadOn(*engine.device, work.module), work);
    LaunchLimits limits;
    limits.slice_fuel = 60;
    ASSERT_EQ(engine.device->Launch(*dispatch, limits)->seats_left, 1u) << engine.name;
    if (engine.device->info().engine == Engine::kMetal) continue;  // its state is the GPU's alone
    const auto state = dynamic_cast<LaneDispatch&>(*dispatch).state();
    EXPECT_NE(std::find(state.begin(), state.end(), 0x7ff80000u), state.end()) << engine.name;
    // In memory and in the frame.
    EXPECT_EQ(std::count(state.begin(), state.end(), 0xfff80001u), 2) << engine.name;
    EXPECT_EQ(std::find(state.begin(), state.end(), 0xfff80000u), state.end()) << engine.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Modules, Agreement, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(State, Agreement, testing::ValuesIn(kStateCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace wb::test
