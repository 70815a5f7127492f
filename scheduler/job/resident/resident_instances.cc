#include "scheduler/job/resident/resident_instances.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {

ResidentInstances::ResidentInstances(uint64_t instances, uint64_t most_bytes,
                                     std::shared_ptr<const ResidentBudget> budget)
    : size_(instances),
      most_(most_bytes),
      budget_(std::move(budget)),
      states_(instances),
      share_(budget_->held_, 0) {}

uint64_t ResidentInstances::bytes() const {
  MutexLock lock(mutex_);
  return bytes_;
}

ResidentStateRef ResidentInstances::Get(uint64_t instance) const {
  MutexLock lock(mutex_);
  return states_[instance];
}

Status ResidentInstances::PutLocked(uint64_t instance, ResidentStateRef state) {
  const uint64_t old = states_[instance] ? states_[instance]->bytes() : 0;
  const uint64_t now = state ? state->bytes() : 0;
  if (now > old) {
    const uint64_t more = now - old;
    const bool is_own = bytes_ + more > most_;
    if (is_own || !share_.Grow(more, budget_->most_)) {
      const uint64_t most = is_own ? most_ : budget_->most_;
      const std::string whose = is_own ? "the session's states" : "the states of all sessions";
      return Status(Reason::kLimitTooHigh,
                    "With " + Quoted(more) + " bytes more of the instance " + Quoted(instance) +
                        ", " + whose + " would have more than " + Quoted(most) + " bytes (" +
                        (is_own ? "sessions.max_bytes" : "sessions.max_total_bytes") + ").",
                    {{"maximum", std::to_string(most)}});
    }
    bytes_ += more;
  } else {
    share_.Shrink(old - now);
    bytes_ -= old - now;
  }
  states_[instance] = std::move(state);
  return {};
}

Status ResidentInstances::Put(uint64_t instance, ResidentStateRef state) {
  MutexLock lock(mutex_);
  return PutLocked(instance, std::move(state));
}

uint32_t ResidentInstances::MostPages() const {
  MutexLock lock(mutex_);
  uint32_t most = 0;
  for (const ResidentStateRef& state : states_) {
    if (state) most = std::max(most, state->memories[0].pages);
  }
  return most;
}

uint32_t ResidentInstances::MostFurtherPages() const {
  MutexLock lock(mutex_);
  uint32_t most = 0;
  for (const ResidentStateRef& state : states_) {
    for (size_t m = 1; state && m < state->memories.size(); ++m) {
      most = std::max(most, state->memories[m].pages);
    }
  }
  return most;
}

void ResidentInstances::Begin() {
  MutexLock lock(mutex_);
  changed_ = 0;
}

void ResidentInstances::End(uint64_t instance, ResidentStateRef state) {
  MutexLock lock(mutex_);
  if (state == nullptr) return;
  const Status put = PutLocked(instance, std::move(state));
  if (put.ok()) {
    ++changed_;
  } else if (no_room_.empty()) {
    no_room_ = put.message();
  }
}

uint64_t ResidentInstances::changed() const {
  MutexLock lock(mutex_);
  return changed_;
}

std::string ResidentInstances::no_room() const {
  MutexLock lock(mutex_);
  return no_room_;
}

}  // namespace wb
