#include "tests/scheduler/devices/resident_rig.h"

#include <gtest/gtest.h>

#include <numeric>

#include "scheduler/job/resident/resident_change.h"
#include "tests/scheduler/devices/moving_rig.h"
#include "tests/scheduler/resident_guest.h"

namespace wb::test {

std::vector<StayingGuest> StayingGuests() {
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

Work StayingWork(std::shared_ptr<const LoweredModule> module) {
  Work work = WorkOf(std::move(module), kResidentLanes);
  work.max_pages = work.capacity_pages = 8;
  return work;
}

CallStep StayingStep(const StayingCall& call, bool go_on) {
  Operand argument = ColumnArg(0);
  argument.value = Value::I32(call.argument);
  return Call(call.function, {argument}, go_on);
}

CallOutcome OutcomeOf(const std::vector<uint32_t>& records, const Work& work, uint32_t lane,
                      size_t step) {
  const StepLayout layout = work.Encode().steps[step];
  const Record record = RecordOf(records, work.Shape(), lane);
  const uint32_t trap = record.registers[layout.trap_at];
  return {trap != 0 ? 0 : record.registers[layout.results_at], trap};
}

std::vector<uint32_t> Residents::Call(const NamedDevice& engine, const StayingCall& call,
                                      bool go_on, const Slicing& slicing) {
  work_ = StayingWork(module_);
  work_.steps = {StayingStep(call, go_on)};
  const auto dispatch = Seat(*engine.device, PipelineOn(engine, work_), work_);
  Import(engine, *dispatch);
  RunToEnd(*engine.device, *dispatch, slicing);
  Export(engine, *dispatch);
  return {dispatch->records().begin(), dispatch->records().end()};
}

void Residents::Import(const NamedDevice& engine, Dispatch& dispatch) {
  std::vector<LanePlace> places;
  for (uint32_t lane = 0; lane < kResidentLanes; ++lane) {
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

void Residents::Export(const NamedDevice& engine, Dispatch& dispatch) {
  std::vector<uint32_t> seats(kResidentLanes);
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

}  // namespace wb::test
