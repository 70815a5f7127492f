#include "scheduler/pipelines/pending_builds.h"

#include <algorithm>
#include <utility>

namespace wb {

bool PendingBuilds::Add(const BuildRequest& request, const BuildWaiter& waiter) {
  PendingBuild& pending = pending_[request.key];
  pending.waiters.push_back(waiter);
  if (pending.deferred && !waiter.can_defer) BeginCompiler(pending, request);
  if (pending.first) builds_.ShareFirst(request.device, *pending.first, request.share);
  if (pending.quick) {
    pending.waiters.back().KeepForBetter();
    waiter.done(BuiltPipeline{pending.quick->pipeline, true, {}});
  } else if (pending.waiters.size() > 1) {
    if ((pending.compiling || pending.deferred) && waiter.compiling) waiter.compiling();
  } else if (request.on_disk()) {
    return true;
  } else {
    PostFirst(pending, {request, Effort::kFull, false});
  }
  return false;
}

void PendingBuilds::RecordAbsent(const BuildRequest& request) {
  PendingBuild& pending = pending_[request.key];
  const std::vector<BuildWaiter> waiters = pending.waiters;
  const bool all_can_defer = std::all_of(
      waiters.begin(), waiters.end(), [](const BuildWaiter& waiter) { return waiter.can_defer; });
  if (all_can_defer) {
    pending.deferred = request;
  } else {
    BeginCompiler(pending, request);
  }
  bool is_wanted = false;
  for (const BuildWaiter& waiter : waiters) {
    if (!waiter.compiling || waiter.compiling()) is_wanted = true;
  }
  if (!is_wanted) Abandon(request.key);
}

void PendingBuilds::TakeQuick(const Digest& key, const BuiltPipeline& quick) {
  PendingBuild& pending = pending_[key];
  pending.quick = quick;
  const std::vector<BuildWaiter> waiters = pending.waiters;
  for (BuildWaiter& waiter : pending.waiters) waiter.KeepForBetter();
  for (const BuildWaiter& waiter : waiters) waiter.done(quick);
}

PendingBuilds::PendingBuild PendingBuilds::Take(const Digest& key) {
  PendingBuild pending = std::move(pending_[key]);
  pending_.erase(key);
  return pending;
}

bool PendingBuilds::TryAgain(const BuildAttempt& attempt, const Status& why) {
  PendingBuild& pending = pending_[attempt.request.key];
  if (++pending.tries >= Backoff::kMostTries) return false;
  pending.next = attempt;
  pending.next_at = clock_.Now() + pending.backoff.Next();
  wake_by_(pending.next_at);
  const uint32_t tries = pending.tries;
  const std::vector<BuildWaiter> waiters = pending.waiters;
  for (const BuildWaiter& waiter : waiters) {
    if (waiter.delayed) waiter.delayed(tries, why);
  }
  return true;
}

void PendingBuilds::TimeHasCome() {
  const TimePoint now = clock_.Now();
  for (auto& [key, pending] : pending_) {
    if (!pending.next) continue;
    if (pending.next_at > now) {
      wake_by_(pending.next_at);
      continue;
    }
    BuildAttempt next = *std::exchange(pending.next, std::nullopt);
    if (next.behind) {
      builds_.Post(std::move(next));
    } else {
      PostFirst(pending, std::move(next));
    }
  }
}

bool PendingBuilds::IsDeferred(const Digest& key) const {
  const auto pending = pending_.find(key);
  return pending != pending_.end() && pending->second.deferred;
}

void PendingBuilds::Begin(const Digest& key) {
  if (!IsDeferred(key)) return;
  PendingBuild& pending = pending_[key];
  BeginCompiler(pending, BuildRequest(*pending.deferred));
}

void PendingBuilds::Abandon(const Digest& key) {
  if (IsDeferred(key)) pending_.erase(key);
}

uint32_t PendingBuilds::compilers() const {
  return static_cast<uint32_t>(
      std::count_if(pending_.begin(), pending_.end(),
                    [](const auto& pending) { return pending.second.compiling; }));
}

void PendingBuilds::BeginCompiler(PendingBuild& pending, const BuildRequest& request) {
  pending.deferred.reset();
  pending.compiling = true;
  PostFirst(pending, {request, request.has_quick ? Effort::kQuick : Effort::kFull, false});
}

// Its turn comes with that of whichever of the tenants that wait for it is first.
void PendingBuilds::PostFirst(PendingBuild& pending, BuildAttempt attempt) {
  const BuildTarget* device = attempt.request.device;
  pending.first = builds_.Post(std::move(attempt));
  for (const BuildWaiter& waiter : pending.waiters) {
    builds_.ShareFirst(device, *pending.first, waiter.share);
  }
}

}  // namespace wb
