#include "scheduler/run/seats/lane_moves.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

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

// Adds those that go on to `seated`.
Status ImportSome(Device& device, std::span<const LanePlace> places, SeatContents& contents,
                  Seated& seated) {
  const Result<std::vector<Status>> put = device.ImportLanes(*contents.dispatch, places);
  if (!put.ok()) return put.status().reason() == Reason::kDeviceLost ? put.status() : Status();
  for (size_t i = 0; i < places.size() && i < put->size(); ++i) {
    if (!(*put)[i].ok()) continue;
    InstanceRef& instance = contents.instances.Edit(places[i].seat);
    instance.brought = instance.moved->fuel;
    if (instance.moved->drained) contents.drained.Put(places[i].seat, *instance.moved->drained);
    seated += {1, 0, instance.brought};
  }
  return {};
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

Result<Seated> LaneMoves::Import(Device& device, bool fast32, SeatContents& contents) {
  const std::vector<uint32_t> arrived = std::exchange(arrived_, {});
  Seated seated;
  std::vector<LanePlace> places;
  uint64_t bytes = 0;
  for (const uint32_t seat : arrived) {
    InstanceRef& instance = contents.instances.Edit(seat);
    instance.brought = 0;  // it may have to start again
    const MovedLaneRef& moved = instance.moved;
    if (!device.info().moves_lanes || moved->fast32 != fast32) continue;
    places.push_back({seat, {moved, &moved->image}});
    bytes += moved->image.bytes();
    if (bytes < kBytesAtOnce) continue;
    WB_TRY(ImportSome(device, places, contents, seated));
    places.clear();
    bytes = 0;
  }
  if (!places.empty()) WB_TRY(ImportSome(device, places, contents, seated));
  for (const uint32_t seat : arrived) contents.instances.Edit(seat).moved.reset();
  return seated;
}

}  // namespace wb
