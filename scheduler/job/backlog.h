#pragma once

// Backlog: which instances of a job are still to be started, and in whose company. Pure.
// Fresh instances are a counter, so that a job of 2^40 costs nothing.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "scheduler/job/moved_lane.h"
#include "scheduler/job/whole_room.h"

namespace wb {

// Instances that may share a dispatch.
struct SeatClass {
  uint32_t pages = 0;   // reserve of memory 0 wanted at least; 0: whatever the planner gives
  uint32_t deaths = 0;  // engines that died while they ran these instances
  uint32_t stack = 0;   // stack reserve wanted at least, 8-byte slots; 0: as the planner starts
  uint32_t further_pages = 0;  // the same as `pages` for each further memory, beyond its beginning
  bool whole_result = false;   // its output outgrew a record: seated with a WholeRoom only
  auto operator<=>(const SeatClass&) const = default;
};

// An instance that has a seat or wants one.
struct InstanceRef {
  uint64_t instance = 0;
  uint32_t attempt = 1;
  SeatClass seat_class;
  MovedLaneRef moved = nullptr;  // to go on with, where it fits; else it starts again
  uint64_t brought = 0;          // fuel of this attempt that other devices have run
  WholeRoomRef room = nullptr;   // while it has a seat, if its output needs it
};

inline constexpr uint32_t kMaxAttempts = 3;  // dying engines that one instance may be part of

// Seats of a dispatch for instances whose engine died: fewer and fewer, so that in the last attempt
// the one instance at fault is alone and no other instance fails with it.
uint32_t LanesAfterDeaths(uint32_t deaths, uint32_t lanes);

// Instances taken at once: those that had a turn before, then a range of fresh ones.
class Claim {
 public:
  Claim() = default;
  Claim(std::vector<InstanceRef> returned, uint64_t first, uint64_t fresh)
      : returned_(std::move(returned)), first_(first), fresh_(fresh) {}
  uint64_t size() const { return returned_.size() + fresh_; }
  InstanceRef At(uint64_t i) const;                       // below size()
  uint64_t returned() const { return returned_.size(); }  // the first so many
  void GiveRooms(std::vector<WholeRoomRef> rooms);        // one to each of these
  uint64_t first_fresh() const { return first_; }
  uint64_t fresh() const { return fresh_; }

 private:
  std::vector<InstanceRef> returned_;
  uint64_t first_ = 0;
  uint64_t fresh_ = 0;
};

class Backlog {
 public:
  using Sizes = std::vector<std::pair<SeatClass, uint64_t>>;

  explicit Backlog(uint64_t instances) : instances_(instances) {}

  uint64_t size() const;  // instances waiting
  uint64_t size(SeatClass seat_class) const;
  uint64_t returned() const;                      // of those, that had a turn before
  uint64_t returned(SeatClass seat_class) const;  // likewise, of the class
  uint64_t outgrown() const;                      // likewise, of classes with whole_result
  std::vector<SeatClass> classes() const;         // that have instances waiting, ascending
  InstanceRef Take(SeatClass seat_class);         // size(seat_class) > 0
  Claim Take(SeatClass seat_class, uint64_t at_most);
  Sizes sizes() const;  // of the classes, ascending
  // All that are left: those that had a turn, by instance, then the range of fresh ones.
  Claim TakeRest();

  void Return(const InstanceRef& instance) { returned_[instance.seat_class].push_back(instance); }

 private:
  uint64_t instances_;
  uint64_t next_ = 0;  // first instance never started
  std::map<SeatClass, std::deque<InstanceRef>> returned_;
};

}  // namespace wb
