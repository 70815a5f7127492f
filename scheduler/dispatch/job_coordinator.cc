#include "scheduler/dispatch/job_coordinator.h"

#include <optional>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/engine_choice.h"

namespace wb {
namespace {

constexpr uint32_t kMaxPreparations = 4;  // of one job, after broken binaries and lost devices

std::string WordsOfDelay(const DeviceLoop* device, uint32_t tries, const Status& why) {
  return "the compiler of the device " + Quoted(device->id()) + ", which is tried again after " +
         Quoted(uint64_t{tries}) + " faults of the machine: " + why.message();
}

}  // namespace

std::string JobCoordinator::CannotRun(const DeviceLoop* device, const Status& status) {
  return "The device " + Quoted(device->id()) + " could not run the module: " + status.message();
}

FairShare JobCoordinator::ShareOf(const ActiveJob& job) {
  return {job.plan.spec.tenant, job.tenant.weight, job.plan.spec.priority};
}

CompileOptions JobCoordinator::OptionsFor(const JobSpec& spec, CompileOptions options) {
  if (spec.fast32 && options.floats == Floats::kMetal) options.floats = Floats::kFast32;
  return options;
}

bool JobCoordinator::IsTextFor(const ActiveJob& job, const LoweredKernel& lowered,
                               const DeviceLoop& device) {
  const CompileOptions wanted = OptionsFor(job.plan.spec, device.info().options);
  const CompileOptions& its = lowered.source.options;
  return its.floats == wanted.floats && its.layout == wanted.layout;
}

JobCoordinator::JobCoordinator(Lowering& lowering, PipelineBuilder& builder, const RateBook& rates,
                               Devices devices, bool start_on_interpreter, Ended ended, Time time)
    : lowering_(lowering),
      builder_(builder),
      rates_(rates),
      devices_(devices),
      start_on_interpreter_(start_on_interpreter),
      ended_(std::move(ended)),
      time_(std::move(time)) {
  WB_CHECK(devices_.interpreter != nullptr);
}

// A GPU stands in for a CPU device that is closed.
Engine JobCoordinator::CompiledEngineFor(const ActiveJobRef& job) const {
  const Placement wanted = job->plan.spec.placement;
  const bool on_gpu =
      devices_.cpu == nullptr ? !devices_.gpus.empty() : !devices_.cpu->IsOpen() && HasOpenGpu(job);
  return wanted == Placement::kAuto && on_gpu ? Engine::kCuda : CompiledEngine(wanted);
}

void JobCoordinator::End(const ActiveJobRef& job, const Status& status) {
  LetGo(job);
  LeavePutOff(job);
  meanwhile_.erase(job);
  gated_.erase(job);
  begins_.erase(job);
  displaced_.erase(job);
  courses_.erase(job);
  RecordLength(*job);
  job->Finish(status);
  ended_(job->id);
  {
    MutexLock lock(mutex_);
    starts_.Leave(job, [this](const ActiveJobRef& next) { may_start_.push_back(next); });
  }
  StartNext();
  BuildNext();
}

void JobCoordinator::EndIfCancelled(const ActiveJobRef& job) {
  if (Holds(job) && job->cancelled.load()) End(job, {});
}

void JobCoordinator::SayWaiting(const ActiveJobRef& job, std::string waiting_for,
                                const DeviceLoop* device) {
  RecordWait(job, waiting_for, device);
  job->Publish([&](JobProgress& progress) {
    progress.phase = JobPhase::kCompiling;
    progress.waiting_for = std::move(waiting_for);
  });
}

void JobCoordinator::Explain(const ActiveJobRef& job, std::string reason) {
  job->Record([&](JobProgress& progress) { progress.placement_reason = std::move(reason); });
}

void JobCoordinator::AwaitCompiler(const ActiveJobRef& job, const DeviceLoop* device) {
  SayWaiting(job, "the compiler of the device " + Quoted(device->id()), device);
}

void JobCoordinator::Prepare(const ActiveJobRef& job) {
  if (job->cancelled.load()) return End(job, {});
  if (++job->preparations > kMaxPreparations) {
    return End(job, Status(Reason::kDeviceLost, "The job was prepared " +
                                                    Quoted(uint64_t{kMaxPreparations}) +
                                                    " times and no device could keep it."));
  }
  SayWaiting(job, "the compiler");
  const Placement wanted = job->plan.spec.placement;
  const DeviceLoop* device = Pick(job, CompiledEngineFor(job));
  std::optional<CompileOptions> options;
  if (device != nullptr && job->avoids.empty() && wanted != Placement::kInterpreter) {
    options = OptionsFor(job->plan.spec, device->info().options);
  }
  lowering_.Get(job->plan.spec.module, options,
                [this, job](const Result<LoweredRef>& result) { OnLowered(job, result); });
}

void JobCoordinator::OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result) {
  if (!Holds(job)) return;
  if (!result.ok()) return End(job, result.status());
  const Placement wanted = job->plan.spec.placement;
  const Engine compiled = CompiledEngineFor(job);
  const bool enabled = !DevicesOf(compiled).empty();
  const Result<PlacementChoice> choice =
      ChoosePlacement({wanted, enabled, job->avoids, (*result)->refused, compiled});
  if (!choice.ok()) return End(job, choice.status());
  Explain(job, choice->reason);
  DeviceLoop* device = OpenDevice(job, choice->engine);
  if (device == nullptr) return AwaitGate(job, choice->engine);
  const bool as_chosen =
      (device == devices_.interpreter) == (choice->engine == Engine::kInterpreter);
  if (as_chosen && device != devices_.interpreter && !IsTextFor(*job, **result, *device)) {
    return PrepareAgain(job);  // a device was closed or opened this very moment
  }
  const LoweredRef lowered = as_chosen ? *result : WithoutText(**result);
  AwaitCompiler(job, device);
  BuildWaiter waiter;
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    OnBuilt(job, device, built);
  };
  waiter.patient = MayStartMeanwhile(job);
  waiter.share = ShareOf(*job);
  waiter.compiling = [this, job, device, lowered] { return StartMeanwhile(job, device, lowered); };
  waiter.better = [this, job, device](const Result<BuiltPipeline>& better) {
    OnBetter(job, device, better);
  };
  waiter.delayed = [this, job, device](uint32_t tries, const Status& why) {
    if (Holds(job)) SayWaiting(job, WordsOfDelay(device, tries, why), device);
  };
  builder_.Get(lowered, *device, std::move(waiter));
}

void JobCoordinator::OnBuilt(const ActiveJobRef& job, DeviceLoop* device,
                             const Result<BuiltPipeline>& result) {
  BuildNext();
  RecordBuilt(job, result);
  NoLongerPatient(job);
  if (meanwhile_.count(job) > 0) return OnBuiltMeanwhile(job, device, result);
  if (!Holds(job)) return;
  if (!result.ok() && result.status().reason() == Reason::kDeviceLost &&
      MayGoToAnother(job, device)) {
    return PrepareAgain(job);
  }
  if (!result.ok()) return Elsewhere(job, device, result.status());
  if (StandsIn(job, device)) return StandIn(job, device, *result);
  if (auto reason = PrefersInterpreter(job, device, *result)) {
    return StartBeside(job, device, *result, *std::move(reason));
  }
  HandOver(job, device, *result);
}

void JobCoordinator::HandOver(const ActiveJobRef& job, DeviceLoop* device,
                              const BuiltPipeline& built) {
  if (job->cancelled.load()) return End(job, {});
  if (BeginsElsewhere(job, device, built)) return;
  const bool is_home_open = displaced_.count(job) > 0 && IsOpen(CompiledEngineFor(job));
  const std::vector<DeviceLoop*> devices = BoardedWith(job, device);
  if (devices.empty() || is_home_open) return PrepareAgain(job);
  job->Record([&built](JobProgress& progress) { progress.usage.pipeline_cached = built.cached; });
  job->unsettled = IsUnsettled(job, built);
  Board(job, devices, built);
  if (job->unsettled) Review(job);
}

// Together: a device's share counts on the others'.
void JobCoordinator::Board(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
                           const BuiltPipeline& built) {
  for (DeviceLoop* device : devices) {
    Stand& stand = courses_[job][device];
    stand.pipeline = Stand::Pipeline::kReady;
    stand.built = built;
    stand.runs = true;
    ++stand.joins;
    job->Join(device->id());
  }
  LetGo(job);
  if (job->unsettled) SetNextLook(*job, PictureOf(job, CandidatesOf(job)));
  if (job->devices() > 1) SetPaces(job, CandidatesOf(job));
  for (DeviceLoop* device : devices) device->Add(job, built.pipeline);
}

// The full pipeline of a job that has the quick one.
void JobCoordinator::OnBetter(const ActiveJobRef& job, DeviceLoop* device,
                              const Result<BuiltPipeline>& better) {
  BuildNext();
  if (better.ok()) return TakeBetter(job, device, *better);
  device->Explain(job, "It runs on a quick build of the module, since there is no better one: " +
                           better.status().message());
}

}  // namespace wb
