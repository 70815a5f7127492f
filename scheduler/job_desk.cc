#include "scheduler/job_desk.h"

#include <optional>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/placement.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kMaxPreparations = 4;  // of one job, after broken binaries and lost devices

CompileOptions OptionsFor(const JobSpec& spec, CompileOptions options) {
  if (spec.fast32 && options.floats == Floats::kMetal) options.floats = Floats::kFast32;
  return options;
}

}  // namespace

JobDesk::JobDesk(Lowering& lowering, PipelineBuilder& builder, Devices devices, Ended ended)
    : lowering_(lowering), builder_(builder), devices_(devices), ended_(std::move(ended)) {
  WB_CHECK(devices_.interpreter != nullptr);
}

DeviceLoop* JobDesk::DeviceOf(Engine engine) const {
  switch (engine) {
    case Engine::kCpu: return devices_.cpu;
    case Engine::kCuda: return devices_.cuda;
    case Engine::kInterpreter: return devices_.interpreter;
  }
  return nullptr;
}

Engine JobDesk::EngineOf(const ActiveJob& job) const {
  for (const Engine engine : {Engine::kCpu, Engine::kCuda}) {
    const DeviceLoop* device = DeviceOf(engine);
    if (device != nullptr && device->info().id == job.progress.device) return engine;
  }
  return Engine::kInterpreter;
}

void JobDesk::Admit(ActiveJobRef job) {
  held_.insert(job);
  Prepare(job);
}

void JobDesk::End(const ActiveJobRef& job, const Status& status) {
  held_.erase(job);
  job->progress.phase = JobPhase::kEnded;
  job->progress.waiting_for.clear();
  // A job that had all its results before the cancel came is not a cancelled one.
  const bool cancelled = status.ok() && !job->AllFinished();
  job->sink->OnEnd(status, cancelled, job->progress.usage);
  ended_(job->id);
}

void JobDesk::EndIfCancelled(const ActiveJobRef& job) {
  if (Holds(job) && job->cancelled.load()) End(job, {});
}

void JobDesk::SayWaiting(const ActiveJobRef& job, std::string waiting_for) {
  job->progress.phase = JobPhase::kCompiling;
  job->progress.waiting_for = std::move(waiting_for);
  job->Tell();
}

void JobDesk::Prepare(const ActiveJobRef& job) {
  if (job->cancelled.load()) return End(job, {});
  if (++job->preparations > kMaxPreparations) {
    return End(job, Status(Reason::kDeviceLost, "The job was prepared " +
                                                    Quoted(uint64_t{kMaxPreparations}) +
                                                    " times and no device could keep it."));
  }
  SayWaiting(job, "the compiler");
  const Placement wanted = job->plan.spec.placement;
  const DeviceLoop* device = DeviceOf(CompiledEngine(wanted));
  std::optional<CompileOptions> options;
  if (device != nullptr && job->avoids.empty() && wanted != Placement::kInterpreter) {
    options = OptionsFor(job->plan.spec, device->info().options);
  }
  lowering_.Get(job->plan.spec.module, options,
                [this, job](const Result<LoweredRef>& result) { OnLowered(job, result); });
}

void JobDesk::OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result) {
  if (!Holds(job)) return;
  if (!result.ok()) return End(job, result.status());
  const Placement wanted = job->plan.spec.placement;
  const Result<PlacementChoice> choice = ChoosePlacement(
      {wanted, DeviceOf(CompiledEngine(wanted)) != nullptr, job->avoids, (*result)->refused});
  if (!choice.ok()) return End(job, choice.status());
  const Engine engine = choice->engine;
  WB_CHECK(DeviceOf(engine) != nullptr);  // no choice without the device
  DeviceLoop& device = *DeviceOf(engine);
  job->fast32 = (*result)->source.options.floats == Floats::kFast32;
  job->progress.placement_reason = choice->reason;
  SayWaiting(job, "the compiler of the device " + Quoted(device.info().id));
  builder_.Get(*result, device, [this, job, engine](const Result<BuiltPipeline>& built) {
    OnBuilt(job, engine, built);
  });
}

void JobDesk::OnBuilt(const ActiveJobRef& job, Engine engine, const Result<BuiltPipeline>& result) {
  if (!Holds(job)) return;
  if (!result.ok()) return Elsewhere(job, engine, result.status());
  if (job->cancelled.load()) return End(job, {});
  job->pipeline = result->pipeline;
  job->progress.usage.pipeline_cached = result->cached;
  job->progress.usage.compile_time += result->time;
  held_.erase(job);
  DeviceOf(engine)->Add(job);
}

// The chosen device cannot: the interpreter can, unless the job insists or came from there.
void JobDesk::Elsewhere(const ActiveJobRef& job, Engine engine, const Status& status) {
  if (engine == Engine::kInterpreter || job->plan.spec.placement != Placement::kAuto) {
    return End(job, status);
  }
  job->avoids = "The CPU device could not run the module: " + status.message();
  Prepare(job);
}

void JobDesk::TakeBack(ActiveJobRef job, GivenBack why, const Status& status) {
  held_.insert(job);
  if (job->cancelled.load()) return End(job, {});
  const Engine engine = EngineOf(*job);
  switch (why) {
    case GivenBack::kNoMemory: return End(job, status);
    case GivenBack::kNoEngine: return Elsewhere(job, engine, status);
    case GivenBack::kKillsEngine:
      builder_.Forget(job->pipeline.key,
                      Status(Reason::kCompileFailed, status.message(), status.details()));
      return Elsewhere(job, engine, status);
    case GivenBack::kBadPipeline: break;
  }
  // Built anew once; a second bad binary is the compiler's fault, not the disk's.
  const bool again = job->preparations > 1;
  builder_.Forget(job->pipeline.key, again ? status : Status());
  return again ? Elsewhere(job, engine, status) : Prepare(job);
}

}  // namespace wb
