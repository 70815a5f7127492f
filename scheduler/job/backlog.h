#pragma once

// Backlog: which instances of a job are still to be started, and in whose company. Pure.
// Fresh instances are ranges, so that a job of 2^40 costs nothing: one range of a new job, what is
// missing of one that an earlier scheduler began.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "scheduler/job/instance_set.h"
#include "scheduler/job/job.h"
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
  bool has_state = false;      // it began in a given state: a dispatch has a lane for each seat
  auto operator<=>(const SeatClass&) const = default;
};

// An instance that has a seat or wants one.
struct InstanceRef {
  uint64_t instance = 0;
  uint32_t attempt = 1;
  SeatClass seat_class;
  MovedLaneRef moved = nullptr;   // to go on with, where it fits; else it starts again
  uint64_t brought = 0;           // fuel of this attempt that other devices have run
  WholeRoomRef room = nullptr;    // while it has a seat, if its output needs it
  GivenStateRef given = nullptr;  // where it begins when `moved` is null or does not fit

  bool HasState() const { return moved != nullptr || given != nullptr; }
  // Used so far, where it goes on with a state.
  uint64_t StateFuel() const { return moved ? moved->fuel : given ? given->fuel() : 0; }
};

// An instance that is to begin in a state.
InstanceRef BeginningIn(const LeftInstance& left);

inline constexpr uint32_t kMaxAttempts = 3;  // dying engines that one instance may be part of

// Seats of a dispatch for instances whose engine died: fewer and fewer, so that in the last attempt
// the one instance at fault is alone and no other instance fails with it.
uint32_t LanesAfterDeaths(uint32_t deaths, uint32_t lanes);

// Instances taken at once: those that had a turn before, or are of short ranges, then a range of
// fresh ones.
class Claim {
 public:
  Claim() = default;
  Claim(std::vector<InstanceRef> returned, const InstanceRange& fresh, uint32_t attempt)
      : returned_(std::move(returned)), fresh_(fresh), attempt_(attempt) {}
  uint64_t size() const { return returned_.size() + fresh_.count; }
  InstanceRef At(uint64_t i) const;                       // below size()
  uint64_t returned() const { return returned_.size(); }  // the first so many
  void GiveRooms(std::vector<WholeRoomRef> rooms);        // one to each of these
  uint64_t fresh() const { return fresh_.count; }         // the others

 private:
  std::vector<InstanceRef> returned_;
  InstanceRange fresh_;
  uint32_t attempt_ = 1;  // of the fresh ones
};

class Backlog {
 public:
  using Sizes = std::vector<std::pair<SeatClass, uint64_t>>;

  // Where something ran before, its finished instances are left out, and they are below
  // `instances`. `group`: so many that follow one another from a multiple of that number on are
  // taken together; then those of a group of which one is missing all wait again, from their start.
  explicit Backlog(uint64_t instances, const JobBefore* before = nullptr, uint32_t group = 1);

  uint64_t size() const;  // instances waiting
  uint64_t size(SeatClass seat_class) const;
  uint64_t returned() const;                           // of those, that had a turn before
  uint64_t returned(SeatClass seat_class) const;       // likewise, of the class
  uint64_t outgrown() const;                           // likewise, of classes with whole_result
  std::vector<SeatClass> classes() const;              // that have instances waiting, ascending
  InstanceRef Take(SeatClass seat_class);              // size(seat_class) > 0
  Claim Take(SeatClass seat_class, uint64_t at_most);  // of groups: whole ones
  Sizes sizes() const;                                 // of the classes, ascending
  // All that are left.
  struct Rest {
    std::vector<InstanceRef> returned;  // that had a turn, by instance
    std::vector<InstanceRange> fresh;   // ascending
    uint32_t attempt = 1;               // of the fresh ones
  };
  Rest TakeRest();
  std::vector<InstanceRef> TakeMoved();  // those that have moved
  // Of a job of so many those that do not wait, ascending: they have ended, where none has a seat.
  std::vector<InstanceRange> Ended(uint64_t instances) const;

  void Return(const InstanceRef& instance) { returned_[instance.seat_class].push_back(instance); }

 private:
  InstanceRange TakeFresh(uint64_t at_most);  // of the first range
  Claim TakeGroups(SeatClass seat_class, uint64_t at_most);
  std::vector<InstanceRef> TakeReturnedGroups(SeatClass seat_class, uint64_t at_most);

  const uint32_t group_;
  uint32_t attempt_ = 1;             // of those never started
  std::deque<InstanceRange> fresh_;  // these, ascending
  uint64_t fresh_count_ = 0;
  std::map<SeatClass, std::deque<InstanceRef>> returned_;
};

}  // namespace wb
