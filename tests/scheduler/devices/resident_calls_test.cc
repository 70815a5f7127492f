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
#include "tests/scheduler/devices/lane_moves.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/devices/resident_rig.h"
#include "tests/scheduler/resident_guest.h"

namespace wb::test {
namespace {

constexpr uint32_t kCalls = 40;

std::vector<StayingCall> RandomCalls(const StayingGuest& guest, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::string> functions(std::begin(kStayingCalls), std::end(kStayingCalls));
  if (guest.name == "recursive") functions.push_back("sum");
  if (guest.name == "two memories") functions.push_back("other");
  std::vector<StayingCall> calls;
  for (uint32_t i = 0; i < kCalls; ++i) {
    calls.push_back({functions[random() % functions.size()], static_cast<uint32_t>(random() % 8)});
  }
  return calls;
}

// By lane and call: one instance that makes all calls, one after the other.
std::vector<std::vector<CallOutcome>> AllAtOnce(const std::shared_ptr<const LoweredModule>& module,
                                                const std::vector<StayingCall>& calls) {
  Work work = StayingWork(module);
  for (const StayingCall& call : calls) work.steps.push_back(StayingStep(call, true));
  const std::vector<uint32_t> records = Records(Interpreter(), work);
  std::vector<std::vector<CallOutcome>> outcomes(kResidentLanes);
  for (uint32_t lane = 0; lane < kResidentLanes; ++lane) {
    for (size_t i = 0; i < calls.size(); ++i)
      outcomes[lane].push_back(OutcomeOf(records, work, lane, i));
  }
  return outcomes;
}

TEST(ResidentCalls, AreThoseOfOneInstanceOnEveryEngine) {
  Gpu gpu;
  const std::vector<NamedDevice> engines = MovingEngines(gpu);
  for (const StayingGuest& guest : StayingGuests()) {
    const auto module = LowerText(guest.text);
    for (uint32_t seed = 1; seed <= 2; ++seed) {
      const std::vector<StayingCall> calls = RandomCalls(guest, seed);
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
        for (uint32_t lane = 0; lane < kResidentLanes; ++lane) {
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
    const auto module = LowerText(StayingGuests()[0].text);
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
    Work work = StayingWork(module);
    work.steps = {test::Call("fill", {ColumnArg(0)}, false)};
    const PipelineRef pipeline = PipelineOn(engine, work);
    std::vector<uint32_t> seats(kResidentLanes);
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

}  // namespace
}  // namespace wb::test
