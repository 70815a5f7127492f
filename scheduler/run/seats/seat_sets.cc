#include "scheduler/run/seats/seat_sets.h"

#include <algorithm>
#include <utility>

namespace wb {

SeatSets::~SeatSets() {
  while (!entries_.empty()) Drop(entries_.front());
}

SeatSets::Entry& SeatSets::Add(SeatClass seat_class, SeatTable seats, uint32_t abreast) {
  memory_.Hold(seats.bytes());
  return entries_.emplace_back(Entry{seat_class, std::move(seats), abreast});
}

void SeatSets::Drop(const Entry& entry) {
  const uint64_t bytes = entry.seats.bytes();
  entries_.remove_if([&entry](const Entry& candidate) { return &candidate == &entry; });
  memory_.Free(bytes);
}

bool SeatSets::DropIdle(const std::function<bool(const Entry&)>& which) {
  bool dropped = false;
  for (auto it = entries_.begin(); it != entries_.end();) {
    const Entry& entry = *it++;
    if (entry.in_flight || entry.seats.taken_seats() > 0) continue;
    if (which && !which(entry)) continue;
    Drop(entry);
    dropped = true;
  }
  return dropped;
}

SeatSets::Entry* SeatSets::Idle(SeatClass seat_class) {
  Entry* idle = nullptr;
  for (Entry& entry : entries_) {
    if (entry.seat_class != seat_class || entry.in_flight) continue;
    if (entry.seats.taken_seats() > 0) return &entry;
    idle = &entry;
  }
  return idle;
}

bool SeatSets::HasIdle(SeatClass seat_class) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.seat_class == seat_class && !entry.in_flight;
  });
}

uint32_t SeatSets::count(SeatClass seat_class) const {
  return static_cast<uint32_t>(
      std::count_if(entries_.begin(), entries_.end(),
                    [&](const Entry& entry) { return entry.seat_class == seat_class; }));
}

const SeatSets::Entry* SeatSets::Any(SeatClass seat_class) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.seat_class == seat_class;
  });
  return found == entries_.end() ? nullptr : &*found;
}

bool SeatSets::in_flight() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.in_flight; });
}

bool SeatSets::HasWaiting() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return !entry.in_flight && entry.seats.taken_seats() > 0;
  });
}

bool SeatSets::HasWaiting(SeatClass seat_class) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.seat_class == seat_class && !entry.in_flight && entry.seats.taken_seats() > 0;
  });
}

uint64_t SeatSets::taken() const {
  uint64_t count = 0;
  for (const Entry& entry : entries_) count += entry.seats.taken_seats();
  return count;
}

}  // namespace wb
