#include "scheduler/run/seats/seat_reaper.h"

#include <optional>
#include <utility>

#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seating.h"

namespace wb {
namespace {

// It came to what its lane does not hold.
bool Missed(std::span<const uint32_t> record, const DispatchShape& shape) {
  return !shape.window.is_all() && record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY &&
         record[abi::RECORD_WANTED_PAGES] == 0;
}

}  // namespace

void SeatReaper::GoOn(uint32_t seat, uint32_t state, Harvest& harvest) {
  if (state == abi::SEAT_START) {
    harvest.seated += {0, 1, 0};
    return;
  }
  const std::span<uint32_t> record = contents_.RecordOf(seat);
  harvest.seated += {1, 0, RecordFuel(record)};
  if (!contents_.instances.HasRoom(seat)) return;
  const DrainedOutputs::Drained drained = contents_.drained.Drain(plan_, shape_, seat, record);
  harvest.sound = drained != DrainedOutputs::Drained::kUnsound;
  harvest.drained += drained == DrainedOutputs::Drained::kPart ? 1 : 0;
}

// Where its call was not read it starts again.
void SeatReaper::Ask(uint32_t seat, Harvest& harvest) {
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(contents_.RecordOf(seat)));
  std::optional<AskingInstance> asking = asking_.Take(seat);
  if (!asking) {
    harvest.need_memory.push_back(contents_.instances.At(seat));
    return;
  }
  Sign(asking->instance, origin_, asking->if_failed);
  harvest.asking.push_back(*std::move(asking));
}

void SeatReaper::NeedMemory(uint32_t seat, Harvest& harvest) {
  const std::span<const uint32_t> record = contents_.RecordOf(seat);
  InstanceRef& again = harvest.need_memory.emplace_back(contents_.instances.At(seat));
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
  again.seat_class = GrownClass(again.seat_class, shape_, *plan_.spec.module, record);
  again.brought = 0;  // until its state is imported
}

void SeatReaper::Miss(uint32_t seat, Harvest& harvest) {
  const std::span<const uint32_t> record = contents_.RecordOf(seat);
  InstanceRef& again = harvest.missed.emplace_back(contents_.instances.At(seat));
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
  harvest.misses.Add(record[abi::RECORD_TRAP_OFFSET]);
  again.brought = 0;
}

// It leaves, so that no launch is made of instances that wait for a reader.
void SeatReaper::NeedRoom(uint32_t seat, Harvest& harvest) {
  InstanceRef& again = harvest.need_memory.emplace_back(contents_.instances.At(seat));
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(contents_.RecordOf(seat)));
  again.seat_class.whole_result = true;
  again.brought = 0;  // until its state is imported
  contents_.RecordOf(seat)[abi::RECORD_QUEUED] = 0;
  ++harvest.drained;
}

void SeatReaper::NeedStack(uint32_t seat, Harvest& harvest) {
  harvest.need_stack.push_back(contents_.instances.At(seat));
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(contents_.RecordOf(seat)));
}

void SeatReaper::End(uint32_t seat, uint32_t state, Harvest& harvest) {
  InstanceRef instance = contents_.instances.At(seat);
  harvest.sound = state == abi::SEAT_DONE &&
                  harvest.rows.Add(plan_, contents_.RecordOf(seat), contents_.drained.Take(seat),
                                   instance, origin_, &harvest.results);
  if (!harvest.sound) return;
  if (instance.room) harvest.rooms.push_back(std::move(instance.room));
  harvest.brought += instance.brought;
}

// Most instances end as the one before did.
bool SeatReaper::EndLikeLast(uint32_t seat, std::span<const uint32_t> record, Harvest& harvest) {
  const SeatedInstances& instances = contents_.instances;
  return instances.IsPlain(seat) &&
         harvest.rows.AddLikeLast(record, instances.Number(seat), instances.expected_attempt(),
                                  &harvest.results);
}

// Adds to `again` what the instance needs more of.
bool SeatReaper::NeedsMore(std::span<const uint32_t> record, SeatClass& again) const {
  const uint32_t state = record[abi::RECORD_SEAT];
  if (state == abi::SEAT_NEEDS_MEMORY && !shape_.ReservesAll()) {
    again = GrownClass(again, shape_, *plan_.spec.module, record);
    return true;
  }
  if (state != abi::SEAT_NEEDS_STACK || shape_.capacity_stack >= shape_.max_stack) return false;
  again.stack = GrownStack(shape_.capacity_stack, shape_.max_stack);
  return true;
}

SeatReaper::GroupState SeatReaper::StateOf(uint32_t first, uint32_t end, SeatClass& again) const {
  GroupState of_all = GroupState::kEmpty;
  for (uint32_t seat = first; seat < end; ++seat) {
    if (!contents_.instances.Has(seat)) continue;
    if (of_all == GroupState::kEmpty) {
      again = contents_.instances.At(seat).seat_class;
      of_all = GroupState::kHasEnded;
    }
    const std::span<const uint32_t> record = contents_.RecordOf(seat);
    const uint32_t state = record[abi::RECORD_SEAT];
    if (NeedsMore(record, again)) {
      of_all = GroupState::kStartsAgain;
    } else if (of_all == GroupState::kHasEnded &&
               (state == abi::SEAT_START || state == abi::SEAT_RUNNING)) {
      of_all = GroupState::kGoesOn;
    }
  }
  return of_all;
}

// One that has ended keeps its seat until its group leaves.
void SeatReaper::StayTogether(uint32_t seat, Harvest& harvest) {
  const std::span<const uint32_t> record = contents_.RecordOf(seat);
  const uint32_t state = record[abi::RECORD_SEAT];
  harvest.seated += {state == abi::SEAT_RUNNING ? 1u : 0u, state == abi::SEAT_START ? 1u : 0u,
                     state == abi::SEAT_START ? 0 : RecordFuel(record)};
}

void SeatReaper::StartAgain(uint32_t seat, SeatClass seat_class, Harvest& harvest) {
  const std::span<uint32_t> record = contents_.RecordOf(seat);
  InstanceRef& again = harvest.need_memory.emplace_back(contents_.instances.At(seat));
  harvest.left_fuel = AddBounded(harvest.left_fuel, RecordFuel(record));
  again.seat_class = seat_class;
  contents_.instances.Clear(seat);
  record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
}

bool SeatReaper::ReapGroup(uint32_t first, uint32_t end, Harvest& harvest) {
  SeatClass again;
  const GroupState state = StateOf(first, end, again);
  for (uint32_t seat = first; seat < end && harvest.sound; ++seat) {
    if (!contents_.instances.Has(seat)) continue;
    switch (state) {
      case GroupState::kEmpty: break;
      case GroupState::kGoesOn: StayTogether(seat, harvest); break;
      case GroupState::kStartsAgain: StartAgain(seat, again, harvest); break;
      case GroupState::kHasEnded:  // a sound engine changes nothing now
        harvest.sound = Reap(seat, harvest) && harvest.sound;
        break;
    }
  }
  return state == GroupState::kStartsAgain || state == GroupState::kHasEnded;
}

bool SeatReaper::Reap(uint32_t seat, Harvest& harvest) {
  const std::span<uint32_t> record = contents_.RecordOf(seat);
  const uint32_t state = record[abi::RECORD_SEAT];
  if (state == abi::SEAT_DONE && EndLikeLast(seat, record, harvest)) {
    contents_.instances.Clear(seat);
    record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
    return true;
  }
  const bool wants_room = state == abi::SEAT_RUNNING && contents_.WantsRoom(seat);
  if (!wants_room && (state == abi::SEAT_START || state == abi::SEAT_RUNNING)) {
    GoOn(seat, state, harvest);
    return false;
  }
  if (wants_room) {
    NeedRoom(seat, harvest);
  } else if (AsksHost(record)) {
    Ask(seat, harvest);
  } else if (Missed(record, shape_)) {
    Miss(seat, harvest);
  } else if (state == abi::SEAT_NEEDS_MEMORY && !shape_.ReservesAll()) {
    NeedMemory(seat, harvest);
  } else if (state == abi::SEAT_NEEDS_STACK && shape_.capacity_stack < shape_.max_stack) {
    NeedStack(seat, harvest);
  } else {
    End(seat, state, harvest);
    if (!harvest.sound) return false;
  }
  contents_.instances.Clear(seat);
  contents_.drained.Drop(seat);
  record[abi::RECORD_SEAT] = abi::SEAT_EMPTY;
  return true;
}

}  // namespace wb
