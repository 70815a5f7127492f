#include "scheduler/job/resident/resident_instances.h"

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// What is shorter is copied in no time.
constexpr uint64_t kLeastPlacedBytes = 2048;
// A state that grows lies in two places for a moment, and leaves a gap. Where no part of the arena
// is long enough a state lies elsewhere, and is copied to where it runs.
constexpr uint64_t kSpareShare = 4;

}  // namespace

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

RestingInstance ResidentInstances::Resting(uint64_t instance) const {
  MutexLock lock(mutex_);
  return states_[instance];
}

Status ResidentInstances::PutLocked(uint64_t instance, ResidentStateRef state) {
  const ResidentStateRef& before = states_[instance].state;
  const uint64_t old = before ? before->bytes() : 0;
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
  states_[instance] = {Placed(std::move(state)), 0};
  return {};
}

// The state where engine hosts can read it, if there is room for it.
ResidentStateRef ResidentInstances::Placed(ResidentStateRef state) {
  if (!state || state->placed || state->bytes() < kLeastPlacedBytes || has_no_arena_) return state;
  if (arena_ == nullptr) {
    arena_ = ResidentArena::Make(most_ + most_ / kSpareShare);
    has_no_arena_ = arena_ == nullptr;
    if (has_no_arena_) return state;
  }
  auto placed = std::make_shared<ResidentState>();
  placed->placed = arena_->Place(state->state.size());
  if (placed->placed == nullptr) return state;
  std::copy(state->state.begin(), state->state.end(), placed->placed->words().begin());
  placed->memories = state->memories;
  return placed;
}

Status ResidentInstances::Put(uint64_t instance, ResidentStateRef state) {
  MutexLock lock(mutex_);
  return PutLocked(instance, std::move(state));
}

uint32_t ResidentInstances::MostPages() const {
  MutexLock lock(mutex_);
  uint32_t most = 0;
  for (const auto& [state, left_as] : states_) {
    if (state) most = std::max(most, state->memories[0].pages);
  }
  return most;
}

uint32_t ResidentInstances::MostFurtherPages() const {
  MutexLock lock(mutex_);
  uint32_t most = 0;
  for (const auto& [state, left_as] : states_) {
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

// Where nobody else has the state, and it stays as long as it was, what changed is put there.
// Others get a state under the lock alone.
bool ResidentInstances::ChangeAlone(uint64_t instance, const EndedState& ended) {
  constexpr long kOwners = 2;  // this, and `ended`
  const ResidentStateRef& state = states_[instance].state;
  if (state != ended.base || state.use_count() != kOwners || !state->placed) return false;
  if (!FitsInto(*state, ended.change)) return false;
  ChangeInPlace(*state, ended.change, state->placed->words());
  return true;
}

void ResidentInstances::End(uint64_t instance, EndedState ended) {
  MutexLock lock(mutex_);
  if (ended.whole == nullptr && ended.base == nullptr) return;
  Status put;
  if (ended.whole != nullptr) {
    put = PutLocked(instance, std::move(ended.whole));
  } else if (!ChangeAlone(instance, ended)) {
    put = PutLocked(instance,
                    std::make_shared<const ResidentState>(Changed(*ended.base, ended.change)));
  }
  if (put.ok()) {
    states_[instance].left_as = ended.left_as;
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
