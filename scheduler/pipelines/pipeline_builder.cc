#include "scheduler/pipelines/pipeline_builder.h"

#include <memory>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kRememberedPipelineBytes = uint64_t{64} << 20;
constexpr uint64_t kRememberedFailures = 1024;
constexpr uint64_t kRememberedBest = 16384;  // keys
constexpr uint32_t kMaxBuildLosses = 2;      // engines that one module's build may end
constexpr std::chrono::seconds kDeviceWait{30};

}  // namespace

PipelineBuilder::PipelineBuilder(PipelineCache& cache, Clock& clock, const Queues& queues,
                                 const Limits& limits,
                                 const std::map<BuildTarget*, uint32_t>& devices)
    : cache_(cache),
      clock_(clock),
      queues_(queues),
      limits_(limits),
      builds_(clock, [this](const BuildAttempt& attempt) { Build(attempt); }),
      pending_(builds_, clock, queues.wake_by),
      known_(kRememberedPipelineBytes),
      failures_(kRememberedFailures),
      best_asked_(kRememberedBest) {
  for (const auto& [device, at_once] : devices) AddDevice(*device, at_once);
}

const Status* PipelineBuilder::KnownFailure(const Digest& key) {
  const Failure* failure = failures_.Find(key);
  if (failure == nullptr) return nullptr;
  if (clock_.Now() - failure->since < limits_.retry_after) return &failure->status;
  failures_.Erase(key);
  return nullptr;
}

void PipelineBuilder::Get(LoweredRef lowered, BuildTarget& device, const BuildWaiter& waiter) {
  const uint64_t bytes = lowered->source.text.size();
  if (bytes > limits_.max_text_bytes) {
    return waiter.done(Status(Reason::kCompileFailed, "The module's kernel text has " +
                                                          Quoted(bytes) +
                                                          " bytes; compile.max_text_bytes allows " +
                                                          Quoted(limits_.max_text_bytes) + "."));
  }
  BuildRequest request = RequestFor(std::move(lowered), device);
  request.share = waiter.share;
  if (const Status* failure = KnownFailure(request.key)) return waiter.done(*failure);
  if (const PreparedPipeline* known = known_.Find(request.key)) {
    return waiter.done(BuiltPipeline{*known, true, {}});
  }
  if (!pending_.Add(request, waiter)) return;
  queues_.worker.Post([this, request = std::move(request)] { Look(request); });
}

void PipelineBuilder::Find(const LoweredRef& lowered, BuildTarget& device, BuiltDone done) {
  const BuildRequest request = RequestFor(lowered, device);
  if (const Status* failure = KnownFailure(request.key)) return done(*failure);
  if (const PreparedPipeline* known = known_.Find(request.key)) {
    return done(BuiltPipeline{*known, true, {}});
  }
  queues_.worker.Post([this, request, done = std::move(done)] {
    std::optional<PreparedPipeline> found = Cached(request, Effort::kFull);
    if (!found && limits_.quick_only && request.has_quick) found = Cached(request, Effort::kQuick);
    Outcome outcome = Status(Reason::kNoDeviceFits, "The module is not compiled yet.");
    if (found) outcome = BuiltPipeline{*std::move(found), true, {}};
    queues_.coordinator.Post([this, key = request.key, done, outcome = std::move(outcome)] {
      if (outcome.ok()) known_.Put(key, outcome->pipeline, outcome->pipeline.binary->size() + 1);
      done(outcome);
    });
  });
}

// On a worker thread.
void PipelineBuilder::Look(const BuildRequest& request) {
  if (LookFor(request, Effort::kFull)) return;
  if (request.has_quick && LookFor(request, Effort::kQuick)) {
    BuildBehind(request);
    return;
  }
  queues_.coordinator.Post([this, request] { pending_.RecordAbsent(request); });
}

// A best build where a full one was.
std::optional<PreparedPipeline> PipelineBuilder::Cached(const BuildRequest& request,
                                                        Effort effort) {
  bool is_best = false;
  std::optional<Bytes> found = cache_.Load(request.Label(effort), &is_best);
  if (!found) return std::nullopt;
  return request.With(std::make_shared<const Bytes>(*std::move(found)),
                      is_best ? Effort::kBest : effort);
}

bool PipelineBuilder::LookFor(const BuildRequest& request, Effort effort) {
  std::optional<PreparedPipeline> found = Cached(request, effort);
  if (!found) return false;
  const Outcome outcome = BuiltPipeline{*std::move(found), true, {}};
  queues_.coordinator.Post([this, request, outcome] { Settle(request, outcome); });
  return true;
}

// On a build thread of the device.
void PipelineBuilder::Build(const BuildAttempt& attempt) {
  if (attempt.effort == Effort::kBest) return BuildBest(attempt);
  const BuildRequest& request = attempt.request;
  const Effort effort = attempt.effort;
  Outcome outcome = BuildOnDevice(request, effort);
  const bool quick = outcome.ok() && effort == Effort::kQuick;
  if (outcome.ok() && request.on_disk()) {
    cache_.Store(request.Label(effort), *outcome->pipeline.binary);
    if (!quick && request.has_quick) cache_.Remove(request.DiskKey(Effort::kQuick));
  }
  queues_.coordinator.Post([this, attempt, outcome = std::move(outcome)] {
    const Status status = outcome.status();
    if (status.reason() != Reason::kMachineFault) return Settle(attempt.request, outcome);
    if (pending_.TryAgain(attempt, status)) return;
    Settle(attempt.request,
           Status(status.reason(), status.message() + " It was tried " +
                                       Quoted(uint64_t{Backoff::kMostTries}) + " times."));
  });
  if (quick) BuildBehind(request);
}

void PipelineBuilder::BuildBehind(const BuildRequest& request) {
  if (!limits_.quick_only) builds_.Post({request, Effort::kFull, true});
}

void PipelineBuilder::GetBest(LoweredRef lowered, BuildTarget& device, const FairShare& share,
                              BuiltDone done) {
  const uint64_t bytes = lowered->source.text.size();
  const bool has_best = bytes < device.info().best_text_below && bytes <= limits_.max_text_bytes;
  if (limits_.quick_only || !has_best) return;
  BuildRequest request = RequestFor(std::move(lowered), device);
  request.share = share;
  const PreparedPipeline* known = known_.Find(request.key);
  if (best_asked_.Find(request.key) != nullptr || (known != nullptr && known->is_best)) return;
  best_asked_.Put(request.key, true, 1);
  builds_.Post({std::move(request), Effort::kBest, true, std::move(done)});
}

// On a build thread of the device.
void PipelineBuilder::BuildBest(const BuildAttempt& attempt) {
  Outcome outcome = BuildOnDevice(attempt.request, Effort::kBest);
  if (outcome.ok() && !outcome->pipeline.binary->empty()) {
    cache_.Store(attempt.request.Label(Effort::kBest), *outcome->pipeline.binary, true);
  }
  queues_.coordinator.Post(
      [this, attempt, outcome = std::move(outcome)] { FinishBest(attempt, outcome); });
}

void PipelineBuilder::FinishBest(const BuildAttempt& attempt, const Outcome& outcome) {
  const Digest& key = attempt.request.key;
  if (IsOfMachine(outcome.status().reason())) best_asked_.Erase(key);
  if (outcome.ok() && outcome->pipeline.binary->empty()) return;
  estimates_.Record(attempt.request, outcome);
  if (outcome.ok()) known_.Put(key, outcome->pipeline, outcome->pipeline.binary->size() + 1);
  attempt.best_done(outcome);
}

PipelineBuilder::Outcome PipelineBuilder::BuildOnDevice(const BuildRequest& request,
                                                        Effort effort) {
  for (uint32_t losses = 0; losses < kMaxBuildLosses; ++losses) {
    WB_ASSIGN(const std::shared_ptr<Device> device,
              request.device->AwaitDevice(clock_.Now() + kDeviceWait));
    if (device->info().target != request.target) {
      return Status(Reason::kDeviceLost, "The device " + Quoted(device->info().id) +
                                             " came back with another compiler.");
    }
    const TimePoint start = clock_.Now();
    Result<Bytes> binary = device->Build(*request.lowered->module, request.lowered->source, effort);
    if (binary.ok()) {
      auto shared = std::make_shared<const Bytes>(std::move(binary).value());
      return BuiltPipeline{request.With(std::move(shared), effort), false, clock_.Now() - start};
    }
    if (binary.status().reason() != Reason::kDeviceLost) return binary.status();
  }
  return Status(Reason::kCompileFailed, "The engine died " + Quoted(uint64_t{kMaxBuildLosses}) +
                                            " times while it compiled this module.");
}

void PipelineBuilder::Settle(const BuildRequest& request, const Outcome& outcome) {
  estimates_.Record(request, outcome);
  if (outcome.ok() && outcome->pipeline.IsQuick() && !limits_.quick_only) {
    return pending_.TakeQuick(request.key, *outcome);
  }
  Finish(request.key, outcome);
}

// Where the full build fails, the quick one has to do.
void PipelineBuilder::Finish(const Digest& key, const Outcome& outcome) {
  const PendingBuilds::PendingBuild pending = pending_.Take(key);
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

Digest PipelineBuilder::KeyOf(const LoweredRef& lowered, const BuildTarget& device) const {
  return PipelineKeyOf(*lowered, device.info().target);
}

void PipelineBuilder::Forget(const Digest& key, const Status& bad) {
  known_.Erase(key);
  if (!bad.ok()) failures_.Put(key, {bad, clock_.Now()}, 1);
  queues_.worker.Post([this, key] {
    cache_.Remove(key);
    cache_.Remove(BuildRequest::DiskKeyOf(key, Effort::kQuick));
  });
}

}  // namespace wb
