#pragma once

// GivenState: the state of an instance that somebody outside the scheduler keeps. An instance of a
// new job may begin in it (JobBefore::midway) instead of at its start.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "compiler/base/status.h"
#include "scheduler/devices/shape.h"
#include "scheduler/job/moved_lane.h"

namespace wb {

// What a dispatch reserves at least for each lane that takes a state in (SeatClass).
struct StateNeeds {
  uint32_t pages = 0;          // of memory 0
  uint32_t further_pages = 0;  // of each other memory, beyond its beginning
  uint32_t stack = 0;          // 8-byte slots
  bool operator==(const StateNeeds&) const = default;
};

// Of the instance with this record, which was left midway in a dispatch of this shape. `memories`:
// of its module. `recursive`: LaneLayout::recursive.
StateNeeds NeedsOf(const DispatchShape& shape, uint32_t memories, bool recursive,
                   std::span<const uint32_t> record);

class GivenState {
 public:
  GivenState(const StateNeeds& needs, uint64_t fuel) : needs_(needs), fuel_(fuel) {}
  virtual ~GivenState() = default;
  GivenState(const GivenState&) = delete;
  GivenState& operator=(const GivenState&) = delete;

  const StateNeeds& needs() const { return needs_; }
  uint64_t fuel() const { return fuel_; }  // used so far

  // The state, of which the caller keeps no more than a few. On threads of devices, no lock held;
  // it may read a file. An error says why there is no state any more.
  virtual Result<MovedLaneRef> Read() const = 0;

 private:
  const StateNeeds needs_;
  const uint64_t fuel_;
};
using GivenStateRef = std::shared_ptr<const GivenState>;

// One that lies in memory.
class HeldState final : public GivenState {
 public:
  HeldState(const StateNeeds& needs, MovedLaneRef state)
      : GivenState(needs, state->fuel), state_(std::move(state)) {}
  Result<MovedLaneRef> Read() const override { return state_; }

 private:
  const MovedLaneRef state_;
};

// An instance that was left midway.
struct LeftInstance {
  uint64_t instance = 0;
  uint32_t attempt = 1;
  GivenStateRef state;
};

struct JobBefore;  // scheduler/job/job.h

// An instance whose state leaves the scheduler.
struct LeavingState {
  uint64_t instance = 0;
  uint32_t attempt = 1;
  StateNeeds needs;
  const MovedLane& state;
  uint64_t planned = 0;  // JobBefore::midway_planned of a job that begins in it
};

// Takes the states of a job's instances out of the scheduler (Scheduler::Checkpoint).
// Threads: several at a time, with no lock held.
class StateKeeper {
 public:
  virtual ~StateKeeper() = default;
  // Blocks for as long as keeping it takes: no further state leaves that device meanwhile. An
  // error: it is not kept, and the instance begins later where it began now.
  virtual Status Keep(const LeavingState& leaving) = 0;
  // Once, before the job's OnEnd, where it ends before all of its instances have: what the job that
  // goes on begins with, but `midway`. With the job's lock held, as OnEnd.
  virtual void OnLeft(const JobBefore& before) = 0;
};
using StateKeeperRef = std::shared_ptr<StateKeeper>;

}  // namespace wb
