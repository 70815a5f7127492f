#include "scheduler/pipelines/pipeline_builder.h"

#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kRememberedBytes = uint64_t{64} << 20;
constexpr uint64_t kRememberedFailures = 1024;
constexpr uint32_t kMaxBuildLosses = 2;  // engines that one module's build may end
constexpr std::chrono::seconds kDeviceWait{30};

Digest KeyFor(const LoweredKernel& lowered, const std::string& target) {
  DigestBuilder builder;
  builder.Add(lowered.module->program.module->digest().bytes);
  builder.Add(lowered.source.digest.bytes).Add(target).Add(uint64_t{lowered.source.text.empty()});
  return builder.Finish();
}

// A quick build of the text is worth it.
bool HasQuick(const DeviceInfo& device, uint64_t bytes) {
  return bytes >= device.quick_text_from && bytes < device.quick_text_below;
}

// A quick binary lies beside the full one, under another name.
Digest DiskKey(const Digest& key, Effort effort) {
  if (effort == Effort::kFull) return key;
  return DigestBuilder().Add(key.bytes).Add("quick").Finish();
}

}  // namespace

PipelineBuilder::PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues,
                                 const Limits& limits,
                                 const std::map<BuildTarget*, uint32_t>& devices)
    : cache_(cache),
      clock_(clock),
      queues_(queues),
      limits_(limits),
      known_(kRememberedBytes),
      failures_(kRememberedFailures) {
  for (const auto& [device, at_once] : devices) AddDevice(*device, at_once);
}

void PipelineBuilder::AddDevice(const BuildTarget& device, uint32_t at_once) {
  MutexLock lock(builds_mutex_);
  builds_[&device] = std::make_unique<Builds>(clock_, at_once);
}

void PipelineBuilder::Close() {
  std::vector<Builds*> all;  // what is under way may ask for more
  {
    MutexLock lock(builds_mutex_);
    for (const auto& [device, builds] : builds_) all.push_back(builds.get());
  }
  for (Builds* builds : all) {
    builds->first.Close();
    builds->behind.Close();
  }
}

PipelineBuilder::Builds& PipelineBuilder::BuildsOf(const BuildTarget* device) {
  MutexLock lock(builds_mutex_);
  return *builds_.at(device);
}

uint64_t PipelineBuilder::PostBuild(Attempt attempt) {
  Builds& builds = BuildsOf(attempt.request.device);
  BuildQueue& queue = attempt.behind ? builds.behind : builds.first;
  const FairShare share = attempt.request.share;
  return queue.Post(share, [this, attempt = std::move(attempt)] { Build(attempt); });
}

CacheLabel PipelineBuilder::Request::Label(Effort effort) const {
  return {DiskKey(key, effort), lowered->module->program.module->digest(), target};
}

PreparedPipeline PipelineBuilder::Request::With(std::shared_ptr<const Bytes> binary,
                                                Effort effort) const {
  const bool fast32 = on_disk() && lowered->source.options.floats == Floats::kFast32;
  KernelBuild build = effort == Effort::kQuick ? KernelBuild::kQuick : KernelBuild::kFull;
  if (!on_disk()) build = KernelBuild::kInterpreted;
  return {key, lowered->module, std::move(binary), fast32, build};
}

PipelineBuilder::Request PipelineBuilder::RequestFor(LoweredRef lowered,
                                                     BuildTarget& device) const {
  const DeviceInfo info = device.info();
  Request request;
  request.device = &device;
  request.target = info.target;
  request.key = KeyFor(*lowered, request.target);
  request.has_quick = HasQuick(info, lowered->source.text.size());
  request.lowered = std::move(lowered);
  return request;
}

const Status* PipelineBuilder::KnownFailure(const Digest& key) {
  const Failure* failure = failures_.Find(key);
  if (failure == nullptr) return nullptr;
  if (clock_.Now() - failure->since < limits_.retry_after) return &failure->status;
  failures_.Erase(key);
  return nullptr;
}

void PipelineBuilder::Find(const LoweredRef& lowered, BuildTarget& device, BuiltDone done) {
  const Request request = RequestFor(lowered, device);
  if (const Status* failure = KnownFailure(request.key)) return done(*failure);
  if (const PreparedPipeline* known = known_.Find(request.key)) {
    return done(BuiltPipeline{*known, true, {}});
  }
  queues_.worker.Post([this, request, done = std::move(done)] {
    std::optional<Bytes> found = cache_.Load(request.Label(Effort::kFull));
    Outcome outcome = Status(Reason::kNoDeviceFits, "The module is not compiled yet.");
    if (found) {
      auto binary = std::make_shared<const Bytes>(*std::move(found));
      outcome = BuiltPipeline{request.With(std::move(binary), Effort::kFull), true, {}};
    }
    queues_.coordinator.Post([this, key = request.key, done, outcome = std::move(outcome)] {
      if (outcome.ok()) known_.Put(key, outcome->pipeline, outcome->pipeline.binary->size() + 1);
      done(outcome);
    });
  });
}

// On a worker thread.
void PipelineBuilder::Look(const Request& request) {
  if (LookFor(request, Effort::kFull)) return;
  if (request.has_quick && LookFor(request, Effort::kQuick)) {
    PostBuild({request, Effort::kFull, true});
    return;
  }
  queues_.coordinator.Post([this, request] { RecordAbsent(request); });
}

bool PipelineBuilder::LookFor(const Request& request, Effort effort) {
  std::optional<Bytes> found = cache_.Load(request.Label(effort));
  if (!found) return false;
  auto binary = std::make_shared<const Bytes>(*std::move(found));
  Answer(request, BuiltPipeline{request.With(std::move(binary), effort), true, {}});
  return true;
}

// On a build thread of the device.
void PipelineBuilder::Build(const Attempt& attempt) {
  const auto& [request, effort, behind] = attempt;
  Outcome outcome = BuildOnDevice(request, effort);
  const bool quick = outcome.ok() && effort == Effort::kQuick;
  if (outcome.ok() && request.on_disk()) {
    cache_.Store(request.Label(effort), *outcome->pipeline.binary);
    if (!quick && request.has_quick) cache_.Remove(DiskKey(request.key, Effort::kQuick));
  }
  queues_.coordinator.Post([this, attempt, outcome = std::move(outcome)] {
    const Status status = outcome.status();
    if (status.reason() != Reason::kMachineFault) return Settle(attempt.request, outcome);
    if (TryAgain(attempt, status)) return;
    Settle(attempt.request,
           Status(status.reason(), status.message() + " It was tried " +
                                       Quoted(uint64_t{Backoff::kMostTries}) + " times."));
  });
  if (quick) PostBuild({request, Effort::kFull, true});
}

PipelineBuilder::Outcome PipelineBuilder::BuildOnDevice(const Request& request, Effort effort) {
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

void PipelineBuilder::Answer(const Request& request, Outcome outcome) {
  queues_.coordinator.Post(
      [this, request, outcome = std::move(outcome)] { Settle(request, outcome); });
}

void PipelineBuilder::Settle(const Request& request, const Outcome& outcome) {
  RecordTime(request, outcome);
  if (outcome.ok() && outcome->pipeline.IsQuick()) return TakeQuick(request.key, *outcome);
  Finish(request.key, outcome);
}

void PipelineBuilder::RecordTime(const Request& request, const Outcome& outcome) {
  if (!outcome.ok() || outcome->cached) return;
  times_.Record(request.target, outcome->pipeline.IsQuick(), request.lowered->source.text.size(),
                std::chrono::duration<double>(outcome->time).count());
}

double PipelineBuilder::SecondsFor(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  const uint64_t bytes = lowered->source.text.size();
  return times_.Expect(info.target, HasQuick(info, bytes), bytes);
}

double PipelineBuilder::SecondsForFull(const LoweredRef& lowered, const BuildTarget& device) const {
  const uint64_t bytes = lowered->source.text.size();
  const double full = times_.Expect(device.info().target, false, bytes);
  const bool is_second = FirstBuild(lowered, device) == KernelBuild::kQuick;
  return is_second ? SecondsFor(lowered, device) + full : full;
}

KernelBuild PipelineBuilder::FirstBuild(const LoweredRef& lowered,
                                        const BuildTarget& device) const {
  const uint64_t bytes = lowered->source.text.size();
  return HasQuick(device.info(), bytes) ? KernelBuild::kQuick : KernelBuild::kFull;
}

bool PipelineBuilder::IsTimed(const LoweredRef& lowered, const BuildTarget& device) const {
  const DeviceInfo info = device.info();
  return times_.Knows(info.target, HasQuick(info, lowered->source.text.size()));
}

Digest PipelineBuilder::KeyOf(const LoweredRef& lowered, const BuildTarget& device) const {
  return KeyFor(*lowered, device.info().target);
}

void PipelineBuilder::Forget(const Digest& key, const Status& bad) {
  known_.Erase(key);
  if (!bad.ok()) failures_.Put(key, {bad, clock_.Now()}, 1);
  queues_.worker.Post([this, key] {
    cache_.Remove(key);
    cache_.Remove(DiskKey(key, Effort::kQuick));
  });
}

}  // namespace wb
