#include "scheduler/run/seats/lane_moves.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// Seats in which it is better to take the state along than to start again.
std::vector<uint32_t> WorthExporting(SeatContents& contents, const MovingTerms& terms,
                                     std::span<const uint32_t> of) {
  std::vector<uint32_t> seats;
  for (const uint32_t seat : of) {
    const std::span<const uint32_t> record = contents.RecordOf(seat);
    if (!IsLeftMidway(record)) continue;
    const uint64_t bytes = MostImageBytes(terms.layout, contents.shape(), record);
    if (terms.rule.Pays(bytes, RecordFuel(record), terms.fuel_per_s)) seats.push_back(seat);
  }
  return seats;
}

Result<uint64_t> ExportSome(Device& device, const MovingTerms& terms,
                            std::span<const uint32_t> seats, SeatContents& contents) {
  const TimePoint begin = terms.clock.Now();
  WB_ASSIGN(std::vector<std::optional<LaneImage>> images,
            device.ExportLanes(*contents.dispatch, seats));
  uint64_t bytes = 0;
  uint64_t fuel = 0;
  for (size_t i = 0; i < seats.size() && i < images.size(); ++i) {
    if (!images[i]) continue;
    bytes += images[i]->bytes();
    std::optional<BudgetShare> share =
        terms.budget.Hold(images[i]->bytes() + contents.drained.bytes(seats[i]));
    if (!share || images[i]->record.size() < abi::RECORD_REGISTERS) continue;
    InstanceRef& instance = contents.instances.Edit(seats[i]);
    auto moved = std::make_shared<MovedLane>();
    moved->fuel = RecordFuel(images[i]->record);
    moved->image = *std::move(images[i]);
    moved->fast32 = terms.fast32;
    moved->share = *std::move(share);
    moved->drained = contents.drained.Take(seats[i]);
    fuel = AddBounded(fuel, moved->fuel - std::min(moved->fuel, instance.brought));
    instance.moved = std::move(moved);
  }
  terms.rule.Record(bytes, terms.clock.Now() - begin);
  return fuel;
}

// How many the keeper keeps.
Result<uint64_t> KeepSome(Device& device, const KeepingTerms& terms,
                          std::span<const uint32_t> seats, SeatContents& contents) {
  WB_ASSIGN(std::vector<std::optional<LaneImage>> images,
            device.ExportLanes(*contents.dispatch, seats));
  uint64_t kept = 0;
  for (size_t i = 0; i < seats.size() && i < images.size(); ++i) {
    if (!images[i] || images[i]->record.size() < abi::RECORD_REGISTERS) continue;
    const InstanceRef instance = contents.instances.At(seats[i]);
    MovedLane state;
    state.image = *std::move(images[i]);
    state.fuel = RecordFuel(state.image.record);
    state.fast32 = terms.fast32;
    state.drained = contents.drained.Take(seats[i]);
    const StateNeeds needs = NeedsOf(contents.shape(), terms.layout.MemoryCount(),
                                     terms.layout.recursive(), state.image.record);
    const Status status =
        terms.keeper.Keep({instance.instance, instance.attempt, needs, state, terms.planned});
    kept += status.ok() ? 1 : 0;
  }
  return kept;
}

// The state with which the instance goes on, which is one for a kernel like this.
Result<MovedLaneRef> StateFor(const DeviceInfo& info, const ArrivalTerms& terms,
                              const InstanceRef& instance) {
  if (!info.moves_lanes) {
    return Status(Reason::kNoDeviceFits,
                  "The device " + Quoted(info.id) + " takes no states of instances in.");
  }
  MovedLaneRef state = instance.moved;
  if (state == nullptr) {
    WB_ASSIGN(state, instance.given->Read());
  }
  if (state->fast32 == terms.fast32) return state;
  return Status(Reason::kNoDeviceFits, "The device " + Quoted(info.id) +
                                           " computes small numbers of f32 otherwise than the one "
                                           "that the state is of.");
}

}  // namespace

std::span<const uint32_t> FirstImages(const LaneLayout& layout, SeatContents& contents,
                                      std::span<const uint32_t> seats) {
  size_t count = 0;
  for (uint64_t bytes = 0; count < seats.size() && (bytes < kBytesAtOnce || count == 0); ++count) {
    bytes += MostImageBytes(layout, contents.shape(), contents.RecordOf(seats[count]));
  }
  return seats.first(count);
}

Result<uint64_t> LaneMoves::Export(Device& device, const MovingTerms& terms,
                                   std::span<const uint32_t> of, SeatContents& contents) {
  if (!device.info().moves_lanes) return uint64_t{0};
  const std::vector<uint32_t> seats = WorthExporting(contents, terms, of);
  uint64_t fuel = 0;
  for (std::span<const uint32_t> left = seats; !left.empty();) {
    const std::span<const uint32_t> first = FirstImages(terms.layout, contents, left);
    WB_ASSIGN(const uint64_t more, ExportSome(device, terms, first, contents));
    fuel = AddBounded(fuel, more);
    if (!terms.budget.HasRoomFor(1)) break;
    left = left.subspan(first.size());
  }
  return fuel;
}

Result<uint64_t> LaneMoves::Keep(Device& device, const KeepingTerms& terms,
                                 std::span<const uint32_t> of, SeatContents& contents) {
  if (!device.info().moves_lanes) return uint64_t{0};
  std::vector<uint32_t> seats;
  for (const uint32_t seat : of) {
    if (IsLeftMidway(contents.RecordOf(seat))) seats.push_back(seat);
  }
  uint64_t kept = 0;
  for (std::span<const uint32_t> left = seats; !left.empty();) {
    const std::span<const uint32_t> first = FirstImages(terms.layout, contents, left);
    WB_ASSIGN(const uint64_t more, KeepSome(device, terms, first, contents));
    kept += more;
    left = left.subspan(first.size());
  }
  return kept;
}

std::vector<uint32_t> LaneMoves::WaitingForMemory(SeatContents& contents) {
  std::vector<uint32_t> waiting;
  for (uint32_t seat = 0; seat < contents.instances.size(); ++seat) {
    if (!contents.instances.Has(seat)) continue;
    const std::span<const uint32_t> record = contents.RecordOf(seat);
    const bool waits = record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY && IsLeftMidway(record);
    if (waits && !AsksHost(record)) waiting.push_back(seat);
  }
  return waiting;
}

// Only who began in a given state is told of.
void LaneMoves::Refuse(const Coming& coming, const Status& why, SeatContents& contents) {
  if (contents.instances.At(coming.seat).given == nullptr) return;
  refused_.push_back({coming.seat, coming.was_given, why});
}

// Adds those that go on to `seated`.
Status LaneMoves::ImportSome(Device& device, std::span<const Coming> some, SeatContents& contents,
                             Seated& seated) {
  std::vector<LanePlace> places;
  for (const Coming& one : some) places.push_back({one.seat, {one.state, &one.state->image}});
  const Result<std::vector<Status>> put = device.ImportLanes(*contents.dispatch, places);
  if (put.status().reason() == Reason::kDeviceLost) return put.status();
  for (size_t i = 0; i < some.size(); ++i) {
    Status status = put.status();
    if (put.ok()) status = i < put->size() ? (*put)[i] : UnsoundRecord(device.info().id);
    if (!status.ok()) {
      Refuse(some[i], status, contents);
      continue;
    }
    const MovedLane& state = *some[i].state;
    contents.instances.Edit(some[i].seat).brought = state.fuel;
    if (state.drained) contents.drained.Put(some[i].seat, *state.drained);
    seated += {1, 0, state.fuel};
  }
  return {};
}

Result<Seated> LaneMoves::Import(Device& device, const ArrivalTerms& terms,
                                 SeatContents& contents) {
  const std::vector<uint32_t> arrived = std::exchange(arrived_, {});
  refused_.clear();
  Seated seated;
  std::vector<Coming> some;
  uint64_t bytes = 0;
  for (const uint32_t seat : arrived) {
    InstanceRef& instance = contents.instances.Edit(seat);
    instance.brought = 0;  // it may have to start again
    const bool was_given = instance.moved == nullptr;
    Result<MovedLaneRef> state = StateFor(device.info(), terms, instance);
    if (!state.ok()) {
      Refuse({seat, was_given, nullptr}, state.status(), contents);
      continue;
    }
    bytes += (*state)->image.bytes();
    some.push_back({seat, was_given, *std::move(state)});
    if (bytes < kBytesAtOnce) continue;
    WB_TRY(ImportSome(device, some, contents, seated));
    some.clear();
    bytes = 0;
  }
  if (!some.empty()) WB_TRY(ImportSome(device, some, contents, seated));
  for (const uint32_t seat : arrived) {
    InstanceRef& instance = contents.instances.Edit(seat);
    instance.moved.reset();
    if (!terms.must_keep) instance.given.reset();
  }
  return seated;
}

}  // namespace wb
