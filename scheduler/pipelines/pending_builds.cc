// PipelineBuilder: pipelines on their way, and who waits for them. On the coordinator's thread.

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/pipelines/pipeline_builder.h"

namespace wb {

void PipelineBuilder::Get(LoweredRef lowered, BuildTarget& device, BuildWaiter waiter) {
  const uint64_t bytes = lowered->source.text.size();
  if (bytes > limits_.max_text_bytes) {
    return waiter.done(Status(Reason::kCompileFailed, "The module's kernel text has " +
                                                          Quoted(bytes) +
                                                          " bytes; compile.max_text_bytes allows " +
                                                          Quoted(limits_.max_text_bytes) + "."));
  }
  Request request = RequestFor(std::move(lowered), device);
  request.share = waiter.share;
  if (const Status* failure = KnownFailure(request.key)) return waiter.done(*failure);
  if (const PreparedPipeline* known = known_.Find(request.key)) {
    return waiter.done(BuiltPipeline{*known, true, {}});
  }
  PendingBuild& pending = pending_[request.key];
  pending.waiters.push_back(waiter);
  if (pending.put_off && !waiter.patient) BeginPending(pending, request);
  if (pending.first) BuildsOf(request.device).first.Share(*pending.first, request.share);
  if (pending.quick) {
    waiter.done(BuiltPipeline{pending.quick->pipeline, true, {}});
  } else if (pending.waiters.size() > 1) {
    if ((pending.compiling || pending.put_off) && waiter.compiling) waiter.compiling();
  } else if (request.on_disk()) {
    queues_.worker.Post([this, request = std::move(request)] { Look(request); });
  } else {
    PostFirst(pending, {std::move(request), Effort::kFull, false});
  }
}

bool PipelineBuilder::IsPutOff(const Digest& key) const {
  const auto pending = pending_.find(key);
  return pending != pending_.end() && pending->second.put_off;
}

void PipelineBuilder::Begin(const Digest& key) {
  if (!IsPutOff(key)) return;
  PendingBuild& pending = pending_[key];
  BeginPending(pending, Request(*pending.put_off));
}

void PipelineBuilder::Abandon(const Digest& key) {
  if (IsPutOff(key)) pending_.erase(key);
}

uint32_t PipelineBuilder::compilers() const {
  uint32_t count = 0;
  for (const auto& [key, pending] : pending_) count += pending.compiling ? 1 : 0;
  return count;
}

void PipelineBuilder::BeginPending(PendingBuild& pending, const Request& request) {
  pending.put_off.reset();
  pending.compiling = true;
  PostFirst(pending, {request, request.has_quick ? Effort::kQuick : Effort::kFull, false});
}

// Its turn comes with that of whichever of the tenants that wait for it is first.
void PipelineBuilder::PostFirst(PendingBuild& pending, Attempt attempt) {
  BuildQueue& queue = BuildsOf(attempt.request.device).first;
  pending.first = PostBuild(std::move(attempt));
  for (const BuildWaiter& waiter : pending.waiters) queue.Share(*pending.first, waiter.share);
}

void PipelineBuilder::RecordAbsent(const Request& request) {
  PendingBuild& pending = pending_[request.key];
  const std::vector<BuildWaiter> waiters = pending.waiters;
  const bool all_patient = std::all_of(waiters.begin(), waiters.end(),
                                       [](const BuildWaiter& waiter) { return waiter.patient; });
  if (all_patient) {
    pending.put_off = request;
  } else {
    BeginPending(pending, request);
  }
  bool is_wanted = false;
  for (const BuildWaiter& waiter : waiters) {
    if (!waiter.compiling || waiter.compiling()) is_wanted = true;
  }
  if (!is_wanted) Abandon(request.key);
}

void PipelineBuilder::TakeQuick(const Digest& key, const BuiltPipeline& quick) {
  PendingBuild& pending = pending_[key];
  pending.quick = quick;
  const std::vector<BuildWaiter> waiters = pending.waiters;
  for (const BuildWaiter& waiter : waiters) waiter.done(quick);
}

// False: it was tried often enough.
bool PipelineBuilder::TryAgain(const Attempt& attempt, const Status& why) {
  PendingBuild& pending = pending_[attempt.request.key];
  if (++pending.tries >= Backoff::kMostTries) return false;
  pending.next = attempt;
  pending.next_at = clock_.Now() + pending.backoff.Next();
  queues_.wake_by(pending.next_at);
  const uint32_t tries = pending.tries;
  const std::vector<BuildWaiter> waiters = pending.waiters;
  for (const BuildWaiter& waiter : waiters) {
    if (waiter.delayed) waiter.delayed(tries, why);
  }
  return true;
}

void PipelineBuilder::TimeHasCome() {
  const TimePoint now = clock_.Now();
  for (auto& [key, pending] : pending_) {
    if (!pending.next) continue;
    if (pending.next_at > now) {
      queues_.wake_by(pending.next_at);
      continue;
    }
    Attempt next = *std::exchange(pending.next, std::nullopt);
    if (next.behind) {
      PostBuild(std::move(next));
    } else {
      PostFirst(pending, std::move(next));
    }
  }
}

// Where the full build fails, the quick one has to do.
void PipelineBuilder::Finish(const Digest& key, const Outcome& outcome) {
  const PendingBuild pending = std::move(pending_[key]);
  pending_.erase(key);
  if (outcome.ok() || pending.quick) {
    const PreparedPipeline& best = outcome.ok() ? outcome->pipeline : pending.quick->pipeline;
    known_.Put(key, best, best.binary->size() + 1);
  } else if (!IsOfMachine(outcome.status().reason())) {
    failures_.Put(key, {outcome.status(), clock_.Now()}, 1);
  }
  for (const BuildWaiter& waiter : pending.waiters) {
    if (!pending.quick) {
      waiter.done(outcome);
    } else if (waiter.better) {
      waiter.better(outcome);
    }
  }
}

}  // namespace wb
