#pragma once

// ResidentInstances: the states of a session's instances between its calls, and what became of them
// in the last call (../../docs/sessions.md). Calls of one session run one after the other; the
// caller of Begin() sees to it. Threads: any.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/job/resident/resident_change.h"
#include "scheduler/job/resident/resident_state.h"

namespace wb {

// Bytes of the states of all sessions of a daemon. Any thread.
class ResidentBudget {
 public:
  explicit ResidentBudget(uint64_t most) : most_(most) {}
  uint64_t most() const { return most_; }
  uint64_t held() const { return held_->load(); }

 private:
  friend class ResidentInstances;
  const uint64_t most_;
  const std::shared_ptr<std::atomic<uint64_t>> held_ = std::make_shared<std::atomic<uint64_t>>(0);
};

// What an instance came to in a call: its state, or what became of that with which it began.
struct EndedState {
  ResidentStateRef whole = nullptr;
  ResidentStateRef base = nullptr;
  ResidentChange change = {};  // of `base`, where `whole` is null and `base` is not
  uint64_t left_as = 0;        // LaneImage::left_as
};

// With what an instance begins a call.
struct RestingInstance {
  ResidentStateRef state = nullptr;  // null: as a fresh one, since no call of it has ended
  uint64_t left_as = 0;              // the lane that was left with just this state; 0: none
};

class ResidentInstances {
 public:
  // At most `most_bytes` of states, and no more than `budget` has. It outlives this.
  ResidentInstances(uint64_t instances, uint64_t most_bytes,
                    std::shared_ptr<const ResidentBudget> budget);

  uint64_t size() const { return size_; }  // instances
  uint64_t bytes() const;                  // of their states

  RestingInstance Resting(uint64_t instance) const;
  ResidentStateRef Get(uint64_t instance) const { return Resting(instance).state; }
  // Null as above. LIMIT_TOO_HIGH, with the numbers: it would be too much, and the state stays as
  // it was.
  Status Put(uint64_t instance, ResidentStateRef state);
  // The most that any of them has: pages of memory 0, and of another one.
  uint32_t MostPages() const;
  uint32_t MostFurtherPages() const;

  // A call begins, in which nobody has ended yet.
  void Begin();
  // An instance has ended in the call, and its state is kept from now on; or, nothing, it did not
  // get as far as to have one. What finds no room is not kept.
  void End(uint64_t instance, EndedState ended);
  // The instances whose state is that of the end of the last call.
  uint64_t changed() const;
  // Why some states of a call were not kept although their instances ended, in numbers; empty: all
  // were. The states of a session's instances then belong to different calls.
  std::string no_room() const;

 private:
  Status PutLocked(uint64_t instance, ResidentStateRef state) WB_REQUIRES(mutex_);
  bool ChangeAlone(uint64_t instance, const EndedState& ended) WB_REQUIRES(mutex_);
  ResidentStateRef Placed(ResidentStateRef state) WB_REQUIRES(mutex_);

  const uint64_t size_;
  const uint64_t most_;
  const std::shared_ptr<const ResidentBudget> budget_;
  mutable Mutex mutex_;
  std::vector<RestingInstance> states_ WB_GUARDED_BY(mutex_);
  std::shared_ptr<ResidentArena> arena_ WB_GUARDED_BY(mutex_);  // null: none yet, or there is none
  bool has_no_arena_ WB_GUARDED_BY(mutex_) = false;
  BudgetShare share_ WB_GUARDED_BY(mutex_);
  uint64_t bytes_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t changed_ WB_GUARDED_BY(mutex_) = 0;
  std::string no_room_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
