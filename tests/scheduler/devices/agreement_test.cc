// Every engine gives the same records, bit for bit, however a run is cut into slices.

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/devices/cpu/lane_dispatch.h"
#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

const AgreementCase kCases[] = {
    {"Straight", R"((module (func (export "run") (param i32) (result i32)
        local.get 0 i32.const 7 i32.mul i32.const 3 i32.add local.get 0 i32.rotl)))"},
    {"NestedLoops", R"((module (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $j i32) (local $sum i32)
        loop $outer
          i32.const 0 local.set $j
          loop $inner
            local.get $sum i32.const 31 i32.mul local.get $i i32.add local.get $j i32.xor
            local.set $sum
            local.get $j i32.const 1 i32.add local.tee $j local.get $n i32.const 7 i32.and i32.lt_u
            br_if $inner
          end
          local.get $i i32.const 1 i32.add local.tee $i i32.const 9 i32.lt_u br_if $outer
        end
        local.get $sum)))"},
    {"ValuesAcrossLoops", R"((module (func (export "run") (param $n i32) (result i64)
        (local $i i32)
        local.get $n i64.extend_i32_u i64.const 5000000000 i64.mul
        i32.const 10
        (loop $l (param i32) (result i32)
          local.get $n i32.add
          local.get $i i32.const 1 i32.add local.tee $i i32.const 6 i32.lt_u br_if $l)
        i64.extend_i32_s i64.add)))"},
    {"Calls", R"((module
        (func $leaf (param i32) (result i32) local.get 0 i32.const 1 i32.add)
        (func $loop (param $n i32) (param $x i64) (result i64 i32)
          (local $i i32)
          loop $l
            local.get $x i64.const 6364136223846793005 i64.mul local.get $i call $leaf
            i64.extend_i32_u i64.add local.set $x
            local.get $i i32.const 1 i32.add local.tee $i local.get $n i32.lt_u br_if $l
          end
          local.get $x local.get $i)
        (func $middle (param $n i32) (result i64) (local $k i32)
          loop $l
            local.get $n local.get $k i64.extend_i32_u call $loop
            drop
            local.get $k i32.const 1 i32.add local.tee $k i32.const 3 i32.ge_u
            if (param i64) (result i64) return end
            drop br $l
          end
          unreachable)
        (func (export "run") (param i32) (result i64)
          local.get 0 i32.const 15 i32.and call $middle
          local.get 0 i32.const 3 i32.and call $middle i64.xor)))"},
    {"Memory", R"((module (memory 1 4) (data (i32.const 4) "\01\02\03\04\05")
        (func (export "run") (param $n i32) (result i32) (local $i i32)
          loop $l
            local.get $i local.get $i local.get $n i32.mul i32.store offset=8
            local.get $i local.get $n i32.store8 offset=3
            local.get $i i32.const 5 i32.add local.tee $i i32.const 100 i32.lt_u br_if $l
          end
          i32.const 200 i32.const 0 i32.const 64 memory.copy
          i32.const 201 i32.const 200 i32.const 50 memory.copy
          i32.const 300 local.get $n i32.const 33 memory.fill
          i32.const 1 memory.grow drop
          i32.const 70000 local.get $n i32.store16
          i32.const 70001 i32.load16_s memory.size i32.add)))",
     512},
    {"BigBulk", R"((module (memory 2)
        (func (export "run") (param $n i32) (result i32)
          i32.const 5 local.get $n i32.const 30000 memory.fill
          i32.const 20000 i32.const 77 i32.const 1000 memory.fill
          i32.const 40001 i32.const 3 i32.const 60000 memory.copy
          i32.const 2 i32.const 40000 i32.const 70000 memory.copy
          i32.const 19980 i32.load)))",
     131072},
    {"Globals", R"((module (global $a (mut i32) (i32.const 5)) (global $b (mut i64) (i64.const -2))
        (global $c (mut f64) (f64.const 1.5))
        (func $step (local $i i32)
          loop $l
            global.get $a i32.const 3 i32.mul global.set $a
            global.get $b global.get $a i64.extend_i32_s i64.sub global.set $b
            global.get $c global.get $c f64.const 0.1 f64.div f64.sub global.set $c
            local.get $i i32.const 1 i32.add local.tee $i i32.const 5 i32.ne br_if $l
          end)
        (func (export "run") (param i32) (result i32 i64 f64)
          local.get 0 global.set $a call $step call $step
          global.get $a global.get $b global.get $c)))"},
    {"Floats", R"((module (memory 1)
        (func (export "run") (param $n i32) (result f64 f32 i64 i32)
          (local $x f64) (local $y f32) (local $i i32)
          local.get $n f64.convert_i32_s f64.const 0.3 f64.sub local.set $x
          loop $l
            local.get $x f64.sqrt f64.const 1.25 f64.mul f64.nearest local.get $x f64.add
            local.set $x
            local.get $x f32.demote_f64 local.get $y f32.sub f32.floor local.set $y
            local.get $i i32.const 1 i32.add local.tee $i i32.const 8 i32.lt_u br_if $l
          end
          i32.const 16 local.get $x f64.store
          i32.const 24 f32.const 0 f32.const 0 f32.div f32.store
          local.get $x local.get $y
          f64.const 0 f64.const 0 f64.div f64.neg i64.reinterpret_f64
          local.get $y i32.trunc_sat_f32_s)))",
     64},
    {"BranchTable", R"((module (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $sum i32)
        loop $top
          local.get $i i32.const 1 i32.add local.set $i
          block $d block $c block $b block $a
            local.get $i local.get $n i32.add i32.const 7 i32.and
            br_table $a $b $c $top $d $b $d
          end local.get $sum i32.const 3 i32.add local.set $sum br $d
          end local.get $sum i32.const 5 i32.mul local.set $sum br $d
          end local.get $sum local.get $i i32.xor local.set $sum
          end
          local.get $i i32.const 20 i32.lt_u
          if local.get $i i32.const 3 i32.ne br_if $top end
        end
        local.get $sum)))"},
    {"Traps", R"((module (memory 1)
        (func $inner (param i32) (result i32) (local $i i32)
          loop $l
            i32.const 65530 local.get $i i32.add i32.const 1 i32.store
            i32.const 100 local.get 0 i32.const 5 i32.and local.get $i i32.sub i32.div_s drop
            local.get $i i32.const 1 i32.add local.tee $i i32.const 10 i32.lt_u br_if $l
          end
          f32.const 3e10 i32.trunc_f32_s)
        (func (export "run") (param i32) (result i32)
          local.get 0 i32.const 30 i32.gt_u if unreachable end
          local.get 0 call $inner)))",
     0},
    {"Tables", R"((module (table 6 funcref) (type $t (func (param i32) (result i32)))
        (elem (i32.const 0) $double $slow $other $double)
        (func $double (param i32) (result i32) local.get 0 i32.const 2 i32.mul)
        (func $slow (param i32) (result i32) (local $i i32)
          loop $l
            local.get 0 i32.const 3 i32.mul local.get $i i32.add local.set 0
            local.get $i i32.const 1 i32.add local.tee $i i32.const 4 i32.lt_u br_if $l
          end
          local.get 0)
        (func $other (result i64) i64.const 1)
        (func (export "run") (param i32) (result i32)
          local.get 0
          local.get 0 i32.const 1 i32.and call_indirect (type $t)
          local.get 0 i32.const 7 i32.and call_indirect (type $t))))"},
    {"StartAndIf", R"((module (memory 1) (global $g (mut i32) (i32.const 1))
        (func $start (local $i i32)
          loop $l
            global.get $g i32.const 1664525 i32.mul i32.const 1013904223 i32.add global.set $g
            local.get $i i32.const 1 i32.add local.tee $i i32.const 4 i32.lt_u br_if $l
          end)
        (start $start)
        (func (export "run") (param i32) (result i32) (local $i i32)
          loop $l
            local.get $i i32.const 1 i32.and
            if (result i32) call $start global.get $g else local.get $i end
            global.get $g i32.add global.set $g
            local.get $i i32.const 1 i32.add local.tee $i local.get 0 i32.const 7 i32.and i32.le_u
            br_if $l
          end
          global.get $g local.get $i local.get 0 select)))"},
    {"Recursion", R"((module (memory 1) (global $at (mut i32) (i32.const 0))
        (func $fib (param $n i32) (result i64)
          local.get $n i32.const 2 i32.lt_u
          if (result i64) local.get $n i64.extend_i32_u
          else
            local.get $n i32.const 1 i32.sub call $fib
            local.get $n i32.const 2 i32.sub call $fib i64.add
          end)
        (func (export "run") (param $n i32) (result i64)
          local.get $n i32.const 11 i32.rem_u call $fib)))"},
    {"MutualRecursion", R"((module (memory 1) (global $at (mut i32) (i32.const 0))
        (func $note (param $x i32) (local $i i32)
          loop $l
            global.get $at i32.const 63 i32.and local.get $x i32.store8
            global.get $at i32.const 1 i32.add global.set $at
            local.get $i i32.const 1 i32.add local.tee $i local.get $x i32.const 3 i32.and
            i32.lt_u br_if $l
          end)
        (func $expression (param $n i32) (result i32) (local $i i32) (local $sum i32)
          loop $l
            local.get $sum i32.const 7 i32.mul
            local.get $n local.get $i i32.sub call $term i32.add local.set $sum
            local.get $i i32.const 1 i32.add local.tee $i i32.const 3 i32.lt_u br_if $l
          end
          local.get $sum)
        (func $term (param $n i32) (result i32)
          local.get $n call $note
          local.get $n i32.const 1 i32.sub call $walk
          local.get $n i32.add)
        (func $walk (param $n i32) (result i32)
          local.get $n i32.const 0 i32.le_s if (result i32) i32.const 5
          else i32.const 100 local.get $n i32.const 2 i32.sub call $expression i32.sub end)
        (func (export "run") (param $n i32) (result i32)
          local.get $n i32.const 6 i32.rem_u call $expression
          local.get $n i32.const 5 i32.rem_u call $walk i32.xor)))",
     64},
};

class Agreement : public testing::TestWithParam<AgreementCase> {
 protected:
  void SetUp() override {
    work_.module = LowerText(GetParam().wat);
    work_.steps = {Call("run", {ColumnArg(0)}, true)};
    work_.max_fuel = 1u << 20;  // a wrong branch must not run for ever
    work_.output_bytes = GetParam().output_bytes;
    if (work_.output_bytes != 0) work_.steps.push_back(Read(0, work_.output_bytes));
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
