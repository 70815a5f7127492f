#include "scheduler/pipelines/pipeline_builder.h"

#include <memory>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kRememberedPipelineBytes = uint64_t{64} << 20;
constexpr uint64_t kRememberedFailures = 1024;
constexpr uint32_t kMaxBuildLosses = 2;  // engines that one module's build may end
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
      failures_(kRememberedFailures) {
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
    Effort effort = Effort::kFull;
    std::optional<Bytes> found = cache_.Load(request.Label(effort));
    if (!found && limits_.quick_only && request.has_quick) {
      effort = Effort::kQuick;
      found = cache_.Load(request.Label(effort));
    }
    Outcome outcome = Status(Reason::kNoDeviceFits, "The module is not compiled yet.");
    if (found) {
      auto binary = std::make_shared<const Bytes>(*std::move(found));
      outcome = BuiltPipeline{request.With(std::move(binary), effort), true, {}};
    }
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

bool PipelineBuilder::LookFor(const BuildRequest& request, Effort effort) {
  std::optional<Bytes> found = cache_.Load(request.Label(effort));
  if (!found) return false;
  auto binary = std::make_shared<const Bytes>(*std::move(found));
  const Outcome outcome = BuiltPipeline{request.With(std::move(binary), effort), true, {}};
  queues_.coordinator.Post([this, request, outcome] { Settle(request, outcome); });
  return true;
}

// On a build thread of the device.
void PipelineBuilder::Build(const BuildAttempt& attempt) {
  const auto& [request, effort, behind] = attempt;
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
