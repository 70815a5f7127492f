// PipelineBuilder: pipelines on their way, and who waits for them. On the desk's thread.

#include <algorithm>
#include <utility>

#include "scheduler/pipelines/pipeline_builder.h"
#include "scheduler/base/quoted.h"

namespace wb {

void PipelineBuilder::Get(LoweredRef lowered, DeviceLoop& device, BuildWaiter waiter) {
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
  Flight& flight = flights_[request.key];
  flight.waiters.push_back(waiter);
  if (flight.put_off && !waiter.patient) BeginFlight(flight, request);
  if (flight.first) BuildsOf(request.device).first.Share(*flight.first, request.share);
  if (flight.quick) {
    waiter.done(BuiltPipeline{flight.quick->pipeline, true, {}});
  } else if (flight.waiters.size() > 1) {
    if ((flight.compiling || flight.put_off) && waiter.compiling) waiter.compiling();
  } else if (request.on_disk()) {
    queues_.worker.Post([this, request = std::move(request)] { Look(request); });
  } else {
    PostFirst(flight, {std::move(request), Effort::kFull, false});
  }
}

bool PipelineBuilder::IsPutOff(const Digest& key) const {
  const auto flight = flights_.find(key);
  return flight != flights_.end() && flight->second.put_off;
}

void PipelineBuilder::Begin(const Digest& key) {
  if (!IsPutOff(key)) return;
  Flight& flight = flights_[key];
  BeginFlight(flight, Request(*flight.put_off));
}

void PipelineBuilder::Abandon(const Digest& key) {
  if (IsPutOff(key)) flights_.erase(key);
}

uint32_t PipelineBuilder::compilers() const {
  uint32_t count = 0;
  for (const auto& [key, flight] : flights_) count += flight.compiling ? 1 : 0;
  return count;
}

void PipelineBuilder::BeginFlight(Flight& flight, const Request& request) {
  flight.put_off.reset();
  flight.compiling = true;
  PostFirst(flight, {request, request.has_quick ? Effort::kQuick : Effort::kFull, false});
}

// Its turn comes with that of whichever of the tenants that wait for it is first.
void PipelineBuilder::PostFirst(Flight& flight, Attempt attempt) {
  BuildQueue& queue = BuildsOf(attempt.request.device).first;
  flight.first = PostBuild(std::move(attempt));
  for (const BuildWaiter& waiter : flight.waiters) queue.Share(*flight.first, waiter.share);
}

void PipelineBuilder::NoteAbsent(const Request& request) {
  Flight& flight = flights_[request.key];
  const std::vector<BuildWaiter> waiters = flight.waiters;
  const bool all_patient = std::all_of(waiters.begin(), waiters.end(),
                                       [](const BuildWaiter& waiter) { return waiter.patient; });
  if (all_patient) {
    flight.put_off = request;
  } else {
    BeginFlight(flight, request);
  }
  bool is_wanted = false;
  for (const BuildWaiter& waiter : waiters) {
    if (!waiter.compiling || waiter.compiling()) is_wanted = true;
  }
  if (!is_wanted) Abandon(request.key);
}

void PipelineBuilder::TakeQuick(const Digest& key, const BuiltPipeline& quick) {
  Flight& flight = flights_[key];
  flight.quick = quick;
  const std::vector<BuildWaiter> waiters = flight.waiters;
  for (const BuildWaiter& waiter : waiters) waiter.done(quick);
}

// False: it was tried often enough.
bool PipelineBuilder::TryAgain(const Attempt& attempt, const Status& why) {
  Flight& flight = flights_[attempt.request.key];
  if (++flight.tries >= Backoff::kMostTries) return false;
  flight.next = attempt;
  flight.next_at = clock_.Now() + flight.backoff.Next();
  queues_.wake_by(flight.next_at);
  const uint32_t tries = flight.tries;
  const std::vector<BuildWaiter> waiters = flight.waiters;
  for (const BuildWaiter& waiter : waiters) {
    if (waiter.delayed) waiter.delayed(tries, why);
  }
  return true;
}

void PipelineBuilder::TimeHasCome() {
  const TimePoint now = clock_.Now();
  for (auto& [key, flight] : flights_) {
    if (!flight.next) continue;
    if (flight.next_at > now) {
      queues_.wake_by(flight.next_at);
      continue;
    }
    Attempt next = *std::exchange(flight.next, std::nullopt);
    if (next.behind) {
      PostBuild(std::move(next));
    } else {
      PostFirst(flight, std::move(next));
    }
  }
}

// Where the full build fails, the quick one has to do.
void PipelineBuilder::Finish(const Digest& key, const Outcome& outcome) {
  const Flight flight = std::move(flights_[key]);
  flights_.erase(key);
  if (outcome.ok() || flight.quick) {
    const PreparedPipeline& best = outcome.ok() ? outcome->pipeline : flight.quick->pipeline;
    known_.Put(key, best, best.binary->size() + 1);
  } else if (!IsOfMachine(outcome.status().reason())) {
    failures_.Put(key, {outcome.status(), clock_.Now()}, 1);
  }
  for (const BuildWaiter& waiter : flight.waiters) {
    if (!flight.quick) {
      waiter.done(outcome);
    } else if (waiter.better) {
      waiter.better(outcome);
    }
  }
}

}  // namespace wb
