// Instances that stay from call to call: what each call leaves in its lane begins the next one, on
// whichever engine, as if one instance had made all calls one after the other.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "scheduler/devices/cpu/lane_dispatch.h"
#include "scheduler/devices/migration/image_words.h"
#include "scheduler/job/resident/resident_change.h"
#include "scheduler/job/resident/resident_state.h"
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/resident_guest.h"

namespace wb::test {
namespace {

constexpr uint32_t kLanes = 5;
constexpr uint32_t kCalls = 40;

struct Guest {
  std::string name;
  std::string text;
};

std::vector<Guest> Guests() {
  const std::string part(kStayingPart);
  return {{"plain", "(module (memory 1 8)" + part + ")"},
          {"starts", "(module (memory 1 8)" + part +
                         "(func $s (global.set $g (i32.add (global.get $g) (i32.const 3)))"
                         " (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8))"
                         " (i32.const 5)))) (start $s))"},
          {"recursive", "(module (memory 1 8)" + part +
                            R"((func $sum (export "sum") (param $n i32) (result i32)
      (if (result i32) (i32.eqz (local.get $n)) (then (i32.load (i32.const 8)))
        (else (i32.add (local.get $n) (call $sum (i32.sub (local.get $n) (i32.const 1))))))))"
                            "\n)"},
          {"two memories", "(module (memory 1 8) (memory $m 1 4)" + part + R"(
  (func (export "other") (param $n i32) (result i32)
    (drop (memory.grow $m (i32.and (local.get $n) (i32.const 1))))
    (i32.store $m (i32.const 8) (i32.add (i32.load $m (i32.const 8)) (local.get $n)))
    (i32.add (i32.load $m (i32.const 8)) (memory.size $m)))))"}};
}

struct ACall {
  std::string function;
  uint32_t argument = 0;
};

std::vector<ACall> RandomCalls(const Guest& guest, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> functions(std::begin(kStayingCalls), std::end(kStayingCalls));
  if (guest.name == "recursive") functions.push_back("sum");
  if (guest.name == "two memories") functions.push_back("other");
  std::vector<ACall> calls;
  for (uint32_t i = 0; i < kCalls; ++i) {
    calls.push_back({functions[random() % functions.size()], static_cast<uint32_t>(random() % 8)});
  }
  return calls;
}

Work WorkFor(std::shared_ptr<const LoweredModule> module) {
  Work work = WorkOf(std::move(module), kLanes);
  work.max_pages = work.capacity_pages = 8;
  return work;
}

// The result and the trap of a step, of one lane.
struct Outcome {
  uint32_t result = 0;
  uint32_t trap = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome OutcomeOf(const std::vector<uint32_t>& records, const Work& work, uint32_t lane,
                  size_t step) {
  const StepLayout layout = work.Encode().steps[step];
  const Record record = RecordOf(records, work.Shape(), lane);
  const uint32_t trap = record.registers[layout.trap_at];
  return {trap != 0 ? 0 : record.registers[layout.results_at], trap};
}

// By lane and call: one instance that makes all calls, one after the other.
std::vector<std::vector<Outcome>> AllAtOnce(const std::shared_ptr<const LoweredModule>& module,
                                            const std::vector<ACall>& calls) {
  Work work = WorkFor(module);
  for (const ACall& call : calls) {
    Operand argument = ColumnArg(0);
    argument.value = Value::I32(call.argument);
    work.steps.push_back(Call(call.function, {argument}, true));
  }
  const std::vector<uint32_t> records = Records(Interpreter(), work);
  std::vector<std::vector<Outcome>> outcomes(kLanes);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    for (size_t i = 0; i < calls.size(); ++i)
      outcomes[lane].push_back(OutcomeOf(records, work, lane, i));
  }
  return outcomes;
}

class Residents {
 public:
  explicit Residents(std::shared_ptr<const LoweredModule> module)
      : module_(std::move(module)), states_(kLanes), left_as_(kLanes) {}

  // One call of all, as a job of its own; without `go_on` a trap ends it.
  std::vector<uint32_t> Call(const NamedDevice& engine, const ACall& call, bool go_on,
                             const Slicing& slicing) {
    work_ = WorkFor(module_);
    Operand argument = ColumnArg(0);
    argument.value = Value::I32(call.argument);
    work_.steps = {test::Call(call.function, {argument}, go_on)};
    const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
    Import(engine, *dispatch);
    RunToEnd(*engine.device, *dispatch, slicing);
    Export(engine, *dispatch);
    return {dispatch->records().begin(), dispatch->records().end()};
  }
  const Work& work() const { return work_; }
  const ResidentState& state(uint32_t lane) const { return *states_[lane]; }
  const LaneImage& last() const { return last_; }  // that came of the last lane
  // As a daemon that has another state than the one with which the lane was left.
  void Replace(uint32_t lane, ResidentState state) {
    states_[lane] = std::make_shared<const ResidentState>(std::move(state));
  }
  void ForgetLanes() { left_as_.assign(kLanes, 0); }

 private:
  void Import(const NamedDevice& engine, Dispatch& dispatch) {
    std::vector<LanePlace> places;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      if (states_[lane] == nullptr) continue;
      auto image = std::make_shared<LaneImage>(
          StartOfCall(FormOf(*module_, dispatch.shape()), dispatch.shape(), states_[lane]));
      image->left_as = left_as_[lane];
      places.push_back({lane, std::move(image)});
    }
    const auto put = engine.device->ImportLanes(dispatch, places);
    ASSERT_TRUE(put.ok()) << put.status().ToString();
    for (const Status& status : *put) ASSERT_TRUE(status.ok()) << status.ToString();
  }
  void Export(const NamedDevice& engine, Dispatch& dispatch) {
    std::vector<uint32_t> seats(kLanes);
    std::iota(seats.begin(), seats.end(), 0u);
    const auto images = engine.device->ExportLanes(dispatch, seats);
    ASSERT_TRUE(images.ok());
    for (const uint32_t seat : seats) {
      ASSERT_EQ(SeatState(dispatch, seat), abi::SEAT_DONE);
      ASSERT_TRUE((*images)[seat].has_value()) << engine.name;
      const LaneImage& image = *(*images)[seat];
      last_ = image;
      EXPECT_EQ(image.left_as != 0, engine.name != "metal") << engine.name;  // which keeps no lanes
      left_as_[seat] = image.left_as;
      if (image.is_change) {
        ASSERT_NE(states_[seat], nullptr);
        const auto change = ChangeOf(*module_, *states_[seat], image);
        ASSERT_TRUE(change.ok()) << change.status().ToString();
        states_[seat] = std::make_shared<const ResidentState>(Changed(*states_[seat], *change));
        continue;
      }
      auto state = RestingStateOf(*module_, image);
      ASSERT_TRUE(state.ok()) << state.status().ToString();
      states_[seat] = std::make_shared<const ResidentState>(std::move(state).value());
    }
  }

  const std::shared_ptr<const LoweredModule> module_;
  Work work_;
  std::vector<ResidentStateRef> states_;
  std::vector<uint64_t> left_as_;
  LaneImage last_;
};

TEST(ResidentCalls, AreThoseOfOneInstanceOnEveryEngine) {
  Gpu gpu;
  const std::vector<NamedDevice> engines = MovingEngines(gpu);
  for (const Guest& guest : Guests()) {
    const auto module = LowerText(guest.text);
    for (uint32_t seed = 1; seed <= 2; ++seed) {
      const std::vector<ACall> calls = RandomCalls(guest, seed);
      const auto wanted = AllAtOnce(module, calls);
      Residents residents(module);
      std::mt19937 random(seed);
      size_t at = 0;  // engine; the same one twice finds its lanes again
      for (size_t i = 0; i < calls.size(); ++i) {
        if (random() % 2 == 0) at = random() % engines.size();
        const NamedDevice& engine = engines[at];
        const Slicing slicing = {random() % 2 == 0 ? uint64_t{3} : uint64_t{1} << 62, 1};
        const auto records = residents.Call(engine, calls[i], true, slicing);
        if (HasFatalFailure()) return;
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
          ASSERT_EQ(OutcomeOf(records, residents.work(), lane, 0), wanted[lane][i])
              << guest.name << " call " << i << " " << calls[i].function << " on " << engine.name;
        }
      }
    }
  }
}

// What an instance had written when it trapped is there in the next call, and it has run no
// instruction before its first.
TEST(ResidentCalls, ATrapKeepsWhatWasWritten) {
  Gpu gpu;
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    const auto module = LowerText(Guests()[0].text);
    Residents residents(module);
    const auto failed = residents.Call(engine, {"fail", 64}, false, {});
    const Record record = RecordOf(failed, residents.work().Shape(), 2);
    EXPECT_EQ(static_cast<End>(record.end), End::kTrapped) << engine.name;
    const Bytes bytes = ReadResident(residents.state(2), 0, 8, 4).value();
    EXPECT_EQ(bytes[0], 66) << engine.name;  // the lane's number and 64
    const auto counted = residents.Call(engine, {"count", 0}, false, {});
    const Record after = RecordOf(counted, residents.work().Shape(), 2);
    EXPECT_EQ(after.registers[0], 66u + 2u + 'b') << engine.name;
    const auto again = residents.Call(engine, {"count", 0}, false, {});
    EXPECT_EQ(RecordOf(again, residents.work().Shape(), 2).fuel, after.fuel) << engine.name;
  }
}

TEST(ResidentStates, AFreshOneIsWhatAnInstanceBeginsWith) {
  const auto module = LowerText(Guests()[0].text);
  const ResidentState fresh = FreshState(*module).value();
  EXPECT_EQ(AsText(ReadResident(fresh, 0, 4090, 17).value()), "across two blocks");
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 0}, true, {});
  // Lane 0 has counted nothing.
  EXPECT_EQ(residents.state(0).state, fresh.state);
  EXPECT_EQ(FreshState(*LowerText(Guests()[1].text)).status().reason(), Reason::kInvalidArgument);
}

TEST(ResidentStates, MemoryIsReadAndWrittenWithinItsBounds) {
  const auto module = LowerText(Guests()[3].text);
  const ResidentState fresh = FreshState(*module).value();
  const Bytes data(10000, 7);
  const ResidentState written = WriteResident(fresh, 1, 55536, data).value();
  EXPECT_EQ(ReadResident(written, 1, 55536, 10000).value(), data);
  EXPECT_EQ(ReadResident(written, 1, 55535, 1).value(), Bytes(1));
  EXPECT_EQ(AsText(ReadResident(written, 0, 4090, 17).value()), "across two blocks");
  EXPECT_EQ(WriteResident(written, 1, 55536, Bytes(10000)).value().state, fresh.state);
  for (const Status& status :
       {ReadResident(fresh, 0, 65536, 1).status(), ReadResident(fresh, 0, ~uint64_t{0}, 2).status(),
        ReadResident(fresh, 0, 1, ~uint64_t{0}).status(), ReadResident(fresh, 2, 0, 0).status(),
        WriteResident(fresh, 1, 65530, Bytes(7)).status()}) {
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  }
  EXPECT_EQ(ReadResident(fresh, 0, 65536, 0).value(), Bytes());
  const std::string words = ReadResident(fresh, 0, 65530, 7).status().message();
  EXPECT_NE(words.find("[65530]"), std::string::npos) << words;
  EXPECT_NE(words.find("[65536]"), std::string::npos) << words;
}

// Lanes that took in much leave their memory to the next dispatch of the kernel, whose instances
// find zeros there, and those that come in their own.
TEST(ResidentCalls, NobodySeesWhoHadTheMemoryBefore) {
  const auto module = LowerText(R"((module (memory 1 8)
    (func (export "fill") (param $n i32) (result i32) (local $at i32)
      (loop $l
        (i32.store (local.get $at) (i32.const 0x5a5a5a5a))
        (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4)))
                            (i32.const 65536))))
      (i32.const 0))
    (func (export "look") (param $n i32) (result i32) (local $at i32) (local $all i32)
      (drop (memory.grow (i32.const 1)))
      (loop $l
        (local.set $all (i32.or (local.get $all) (i32.load (local.get $at))))
        (br_if $l (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4)))
                            (i32.const 131072))))
      (local.get $all))))");
  for (const NamedDevice& engine : {NamedDevice{"cpu", &Cpu()}, {"interpreter", &Interpreter()}}) {
    Work work = WorkFor(module);
    work.steps = {test::Call("fill", {ColumnArg(0)}, false)};
    const PipelineRef pipeline = PipelineOn(engine, work);
    std::vector<uint32_t> seats(kLanes);
    std::iota(seats.begin(), seats.end(), 0u);
    std::vector<LanePlace> places;
    {
      const auto filled = Seat(*engine.device, pipeline, work);
      RunToEnd(*engine.device, *filled, {});
      const auto images = engine.device->ExportLanes(*filled, seats).value();
      for (const uint32_t seat : seats) {
        auto state =
            std::make_shared<ResidentState>(RestingStateOf(*module, *images[seat]).value());
        places.push_back({seat, std::make_shared<LaneImage>(StartOfCall(
                                    FormOf(*module, filled->shape()), filled->shape(), state))});
      }
    }
    {
      const auto again = Seat(*engine.device, pipeline, work);
      const auto put = engine.device->ImportLanes(*again, places);
      ASSERT_TRUE(put.ok()) << put.status().ToString();
      for (const Status& status : *put) ASSERT_TRUE(status.ok()) << status.ToString();
    }
    work.steps = {test::Call("look", {ColumnArg(0)}, false)};
    const auto fresh = Seat(*engine.device, pipeline, work);
    const auto words = dynamic_cast<LaneDispatch&>(*fresh).state();
    const bool is_taken_over = std::find(words.begin(), words.end(), 0x5a5a5a5au) != words.end();
    EXPECT_TRUE(is_taken_over) << engine.name;
    RunToEnd(*engine.device, *fresh, {});
    for (const uint32_t seat : seats) {
      const std::vector<uint32_t> records(fresh->records().begin(), fresh->records().end());
      EXPECT_EQ(RecordOf(records, fresh->shape(), seat).registers[0], 0u) << engine.name;
    }
  }
}

// An engine that knows what an instance began with says what has changed, and no more.
TEST(ResidentCalls, OnlyWhatChangedComesBack) {
  const auto module = LowerText(Guests()[0].text);
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 1}, true, {});
  EXPECT_FALSE(residents.last().is_change);
  EXPECT_GT(residents.last().state.size(), 2 * kBlockWords);
  (void)residents.Call({"cpu", &Cpu()}, {"global", 1}, true, {});
  EXPECT_TRUE(residents.last().is_change);
  EXPECT_LT(residents.last().state.size(), kBlockWords);  // globals alone
  (void)residents.Call({"interpreter", &Interpreter()}, {"count", 1}, true, {});
  EXPECT_TRUE(residents.last().is_change);
  EXPECT_GT(residents.last().state.size(), kBlockWords);
  EXPECT_LT(residents.last().state.size(), 2 * kBlockWords);
}

// The words that a lane was left with are not put in again; those of another state are.
TEST(ResidentCalls, ALaneThatHoldsTheStateTakesNoneIn) {
  Gpu gpu;
  const auto module = LowerText(Guests()[0].text);
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    if (engine.name == "metal") continue;  // it keeps no lanes
    Residents residents(module);
    const auto counted = [&](uint32_t lane) {
      const auto records = residents.Call(engine, {"count", 0}, true, {});
      return OutcomeOf(records, residents.work(), lane, 0).result -
             'b';  // of its column, summed up
    };
    EXPECT_EQ(counted(3), 3u) << engine.name;
    EXPECT_EQ(counted(3), 6u) << engine.name;
    const ResidentState other =
        WriteResident(residents.state(3), 0, 8, Bytes{100, 0, 0, 0}).value();
    residents.Replace(3, other);
    EXPECT_EQ(counted(3), 9u) << engine.name;  // the lane's own
    residents.Replace(3, other);
    residents.ForgetLanes();
    EXPECT_EQ(counted(3), 103u) << engine.name;
  }
}

// A store is noted where it begins (abi::LANE_KEPT), and may end in the next span.
TEST(ResidentCalls, AWriteThatEndsInTheNextBlockComesBack) {
  Gpu gpu;
  const auto module = LowerText(R"((module (memory 1 8)
    (func (export "write") (param $n i32) (result i32)
      (i64.store (i32.const 4093) (i64.add (i64.load (i32.const 4093))
                                           (i64.const 0x0101010101010101)))
      (i32.load8_u (i32.const 4100)))))");
  for (const NamedDevice& engine : MovingEngines(gpu)) {
    Residents residents(module);
    for (uint32_t i = 1; i <= 4; ++i) {
      const auto records = residents.Call(engine, {"write", 0}, true, {});
      EXPECT_EQ(OutcomeOf(records, residents.work(), 2, 0).result, i) << engine.name;
      EXPECT_EQ(ReadResident(residents.state(2), 0, 4093, 8).value(), Bytes(8, uint8_t(i)))
          << engine.name;
      if (i == 2) residents.ForgetLanes();
    }
  }
}

TEST(ResidentStates, AChangeThatNoSoundEngineMakesIsRefused) {
  const auto module = LowerText(Guests()[0].text);
  const ResidentState base = FreshState(*module).value();
  Residents residents(module);
  (void)residents.Call({"cpu", &Cpu()}, {"count", 0}, true, {});
  (void)residents.Call({"cpu", &Cpu()}, {"count", 1}, true, {});
  const LaneImage sound = residents.last();
  ASSERT_TRUE(ChangeOf(*module, base, sound).ok());
  const uint64_t bits = 1 + ImageHeadWords(*module);
  LaneImage longer = sound;
  longer.state.push_back(0);
  LaneImage shorter = sound;
  shorter.state.pop_back();
  LaneImage unknown = sound;
  unknown.state[bits] |= 4;  // a block that neither has
  LaneImage cleared = sound;
  cleared.state[bits] &= ~1u;  // changed, and zero
  LaneImage more = sound;
  more.state[bits + 1] |= 2;
  LaneImage huge = sound;
  huge.state[1 + abi::LANE_PAGES] = ~0u;
  LaneImage framed = sound;
  framed.state[0] = 1;
  LaneImage none;
  for (const LaneImage& image : {longer, shorter, unknown, cleared, more, huge, framed, none}) {
    EXPECT_EQ(ChangeOf(*module, base, image).status().reason(), Reason::kInvalidArgument);
  }
}

// What a broken engine might say was left is refused.
TEST(ResidentStates, WhatNoSoundEngineLeavesIsRefused) {
  const auto module = LowerText(Guests()[0].text);
  LaneImage sound;
  sound.state = FreshState(*module).value().state;
  EXPECT_TRUE(RestingStateOf(*module, sound).ok());
  LaneImage longer = sound;
  longer.state.push_back(0);
  LaneImage shorter = sound;
  shorter.state.pop_back();
  LaneImage larger = sound;
  larger.state[1 + abi::LANE_PAGES] = 3;
  LaneImage huge = sound;
  huge.state[1 + abi::LANE_PAGES] = ~0u;
  LaneImage framed = sound;
  framed.state[0] = 1;
  LaneImage none;
  for (const LaneImage& image : {longer, shorter, larger, huge, framed, none}) {
    EXPECT_EQ(RestingStateOf(*module, image).status().reason(), Reason::kInvalidArgument);
  }
  // Words of the header do not come along.
  sound.state[1 + abi::LANE_RESUME] = 1;
  sound.state[1 + abi::LANE_FUEL_LO] = 99;
  EXPECT_EQ(RestingStateOf(*module, sound).value().state[1 + abi::LANE_RESUME], 0u);
}

}  // namespace
}  // namespace wb::test
