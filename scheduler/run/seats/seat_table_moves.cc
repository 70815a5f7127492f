// SeatTable: instances leave with their state, and arrive with it. A file of its own, since it
// shares nothing with seating and reaping but the seats.

#include <algorithm>
#include <utility>

#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {
namespace {

// Of images that one call to the device moves, at most; but one image in any case.
constexpr uint64_t kBytesAtOnce = uint64_t{32} << 20;

// Seats in which it is better to take the state along than to start again.
std::vector<uint32_t> WorthExporting(Dispatch& dispatch, const MovingTerms& terms,
                                     std::span<const uint32_t> of) {
  std::vector<uint32_t> seats;
  for (const uint32_t seat : of) {
    const std::span<const uint32_t> record = RecordAt(dispatch, seat);
    if (!IsLeftMidway(record)) continue;
    const uint64_t bytes = MostImageBytes(terms.layout, dispatch.shape(), record);
    if (terms.rule.Pays(bytes, RecordFuel(record), terms.fuel_per_s)) seats.push_back(seat);
  }
  return seats;
}

}  // namespace

Result<uint64_t> SeatTable::ExportSome(Device& device, const MovingTerms& terms,
                                       std::span<const uint32_t> seats) {
  const TimePoint begin = terms.clock.Now();
  WB_ASSIGN(std::vector<std::optional<LaneImage>> images, device.ExportLanes(*dispatch_, seats));
  uint64_t bytes = 0;
  uint64_t fuel = 0;
  for (size_t i = 0; i < seats.size() && i < images.size(); ++i) {
    if (!images[i]) continue;
    bytes += images[i]->bytes();
    std::optional<BudgetShare> share =
        terms.budget.Hold(images[i]->bytes() + drained_.bytes(seats[i]));
    if (!share || images[i]->record.size() < abi::RECORD_REGISTERS) continue;
    InstanceRef& instance = *seats_[seats[i]];
    auto moved = std::make_shared<MovedLane>();
    moved->fuel = RecordFuel(images[i]->record);
    moved->image = *std::move(images[i]);
    moved->fast32 = terms.fast32;
    moved->share = *std::move(share);
    moved->drained = drained_.Take(seats[i]);
    fuel = AddBounded(fuel, moved->fuel - std::min(moved->fuel, instance.brought));
    instance.moved = std::move(moved);
  }
  terms.rule.Record(bytes, terms.clock.Now() - begin);
  return fuel;
}

std::vector<uint32_t> SeatTable::Taken() const {
  std::vector<uint32_t> taken;
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (seats_[seat]) taken.push_back(seat);
  }
  return taken;
}

std::vector<uint32_t> SeatTable::WaitingForMemory() {
  std::vector<uint32_t> waiting;
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (!seats_[seat]) continue;
    const std::span<const uint32_t> record = RecordAt(*dispatch_, seat);
    const bool waits = record[abi::RECORD_SEAT] == abi::SEAT_NEEDS_MEMORY && IsLeftMidway(record);
    if (waits && !AsksHost(record)) {
      waiting.push_back(seat);
    }
  }
  return waiting;
}

Result<uint64_t> SeatTable::ExportLanes(Device& device, const MovingTerms& terms,
                                        std::span<const uint32_t> of) {
  if (!device.info().moves_lanes) return uint64_t{0};
  const std::vector<uint32_t> seats = WorthExporting(*dispatch_, terms, of);
  uint64_t fuel = 0;
  for (size_t first = 0, end = 0; first < seats.size(); first = end) {
    uint64_t bytes = 0;
    for (; end < seats.size() && (bytes < kBytesAtOnce || end == first); ++end) {
      bytes += MostImageBytes(terms.layout, shape(), RecordAt(*dispatch_, seats[end]));
    }
    WB_ASSIGN(const uint64_t more,
              ExportSome(device, terms, std::span(seats).subspan(first, end - first)));
    fuel = AddBounded(fuel, more);
    if (!terms.budget.HasRoomFor(1)) break;
  }
  return fuel;
}

Status SeatTable::ImportSome(Device& device, std::span<const LanePlace> places, Seated& seated) {
  const Result<std::vector<Status>> put = device.ImportLanes(*dispatch_, places);
  if (!put.ok()) return put.status().reason() == Reason::kDeviceLost ? put.status() : Status();
  for (size_t i = 0; i < places.size() && i < put->size(); ++i) {
    if (!(*put)[i].ok()) continue;
    InstanceRef& instance = *seats_[places[i].seat];
    instance.brought = instance.moved->fuel;
    if (instance.moved->drained) drained_.Put(places[i].seat, *instance.moved->drained);
    seated += {1, 0, instance.brought};
  }
  return {};
}

Result<Seated> SeatTable::ImportLanes(Device& device, bool fast32) {
  const std::vector<uint32_t> arrived = std::exchange(arrived_, {});
  Seated seated;
  std::vector<LanePlace> places;
  uint64_t bytes = 0;
  for (const uint32_t seat : arrived) {
    const MovedLaneRef& moved = seats_[seat]->moved;
    seats_[seat]->brought = 0;  // it may have to start again
    if (!device.info().moves_lanes || moved->fast32 != fast32) continue;
    places.push_back({seat, {moved, &moved->image}});
    bytes += moved->image.bytes();
    if (bytes < kBytesAtOnce) continue;
    WB_TRY(ImportSome(device, places, seated));
    places.clear();
    bytes = 0;
  }
  if (!places.empty()) WB_TRY(ImportSome(device, places, seated));
  for (const uint32_t seat : arrived) seats_[seat]->moved.reset();
  return seated;
}

}  // namespace wb
