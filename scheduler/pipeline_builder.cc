#include "scheduler/pipeline_builder.h"

#include <utility>

#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint64_t kRememberedBytes = uint64_t{64} << 20;
constexpr uint64_t kRememberedFailures = 1024;
constexpr uint32_t kMaxBuildLosses = 2;  // engines that one module's build may end
constexpr std::chrono::seconds kDeviceWait{30};

Digest KeyOf(const LoweredKernel& lowered, const std::string& target) {
  DigestBuilder builder;
  builder.Add(lowered.module->program.module->digest().bytes);
  builder.Add(lowered.source.digest.bytes).Add(target).Add(uint64_t{lowered.source.text.empty()});
  return builder.Finish();
}

}  // namespace

PipelineBuilder::PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues,
                                 const std::map<DeviceLoop*, uint32_t>& devices)
    : cache_(cache),
      clock_(clock),
      queues_(queues),
      binaries_(kRememberedBytes),
      failures_(kRememberedFailures) {
  for (const auto& [device, at_once] : devices) {
    builds_[device] = std::make_unique<WorkQueue>(at_once);
  }
}

void PipelineBuilder::Close() {
  for (const auto& [device, queue] : builds_) queue->Close();
}

PreparedPipeline PipelineBuilder::Request::With(std::shared_ptr<const Bytes> binary) const {
  const bool fast32 = on_disk() && lowered->source.options.floats == Floats::kFast32;
  return {key, lowered->module, std::move(binary), fast32};
}

void PipelineBuilder::Get(LoweredRef lowered, DeviceLoop& device, BuiltDone done,
                          std::function<void()> compiling) {
  Request request;
  request.device = &device;
  request.target = device.info().target;
  request.key = KeyOf(*lowered, request.target);
  request.lowered = std::move(lowered);
  if (const Status* failure = failures_.Find(request.key)) return done(*failure);
  if (const auto* binary = binaries_.Find(request.key)) {
    return done(BuiltPipeline{request.With(*binary), true, {}});
  }
  Flight& flight = flights_[request.key];
  flight.waiters.push_back({std::move(done), compiling});
  if (flight.waiters.size() > 1) {
    if (flight.compiling && compiling) compiling();
  } else if (request.on_disk()) {
    queues_.worker.Post([this, request = std::move(request)] { Look(request); });
  } else {
    builds_.at(&device)->Post([this, request = std::move(request)] { Build(request); });
  }
}

void PipelineBuilder::SayCompiling(const Digest& key) {
  Flight& flight = flights_[key];
  flight.compiling = true;
  const std::vector<Waiter> waiters = flight.waiters;
  for (const Waiter& waiter : waiters) {
    if (waiter.compiling) waiter.compiling();
  }
}

// On a worker thread.
void PipelineBuilder::Look(const Request& request) {
  std::optional<Bytes> found = cache_.Load(request.label());
  if (!found) {
    queues_.desk.Post([this, key = request.key] { SayCompiling(key); });
    builds_.at(request.device)->Post([this, request] { Build(request); });
    return;
  }
  auto binary = std::make_shared<const Bytes>(*std::move(found));
  Answer(request, BuiltPipeline{request.With(std::move(binary)), true, {}});
}

// On a build thread of the device.
void PipelineBuilder::Build(const Request& request) {
  Outcome outcome = BuildOnDevice(request);
  if (outcome.ok() && request.on_disk()) {
    cache_.Store(request.label(), *outcome->pipeline.binary);
  }
  Answer(request, std::move(outcome));
}

PipelineBuilder::Outcome PipelineBuilder::BuildOnDevice(const Request& request) {
  for (uint32_t losses = 0; losses < kMaxBuildLosses; ++losses) {
    WB_ASSIGN(const std::shared_ptr<Device> device,
              request.device->AwaitDevice(clock_.Now() + kDeviceWait));
    if (device->info().target != request.target) {
      return Status(Reason::kDeviceLost, "The device " + Quoted(device->info().id) +
                                             " came back with another compiler.");
    }
    const TimePoint start = clock_.Now();
    Result<Bytes> binary = device->Build(*request.lowered->module, request.lowered->source);
    if (binary.ok()) {
      auto shared = std::make_shared<const Bytes>(std::move(binary).value());
      return BuiltPipeline{request.With(std::move(shared)), false, clock_.Now() - start};
    }
    if (binary.status().reason() != Reason::kDeviceLost) return binary.status();
  }
  return Status(Reason::kCompileFailed, "The engine died " + Quoted(uint64_t{kMaxBuildLosses}) +
                                            " times while it compiled this module.");
}

void PipelineBuilder::Answer(const Request& request, Outcome outcome) {
  queues_.desk.Post([this, request, outcome = std::move(outcome)] { Finish(request, outcome); });
}

void PipelineBuilder::Finish(const Request& request, const Outcome& outcome) {
  if (outcome.ok()) {
    binaries_.Put(request.key, outcome->pipeline.binary, outcome->pipeline.binary->size() + 1);
  } else if (outcome.status().reason() != Reason::kDeviceLost) {
    failures_.Put(request.key, outcome.status(), 1);
  }
  const Flight flight = std::move(flights_[request.key]);
  flights_.erase(request.key);
  for (const Waiter& waiter : flight.waiters) waiter.done(outcome);
}

void PipelineBuilder::Forget(const Digest& key, const Status& bad) {
  binaries_.Erase(key);
  if (!bad.ok()) failures_.Put(key, bad, 1);
  queues_.worker.Post([this, key] { cache_.Remove(key); });
}

}  // namespace wb
