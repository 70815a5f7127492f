#include "scheduler/job_desk.h"

#include <optional>
#include <utility>

#include "compiler/base/check.h"
#include "scheduler/placement.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kMaxPreparations = 4;  // of one job, after broken binaries and lost devices

// What the interpreter needs of it.
LoweredRef WithoutText(const LoweredKernel& lowered) {
  auto without_text = std::make_shared<LoweredKernel>();
  without_text->module = lowered.module;
  without_text->source.layout = lowered.module->layout;
  return without_text;
}

std::string CannotRun(const Status& status) {
  return "The CPU device could not run the module: " + status.message();
}

}  // namespace

CompileOptions JobDesk::OptionsFor(const JobSpec& spec, CompileOptions options) {
  if (spec.fast32 && options.floats == Floats::kMetal) options.floats = Floats::kFast32;
  return options;
}

JobDesk::JobDesk(Lowering& lowering, PipelineBuilder& builder, const RateBook& rates,
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

Engine JobDesk::CompiledEngineFor(const ActiveJob& job) const {
  const Placement wanted = job.plan.spec.placement;
  const bool gpu_alone = devices_.cpu == nullptr && !devices_.gpus.empty();
  return wanted == Placement::kAuto && gpu_alone ? Engine::kCuda : CompiledEngine(wanted);
}

void JobDesk::End(const ActiveJobRef& job, const Status& status) {
  LetGo(job);
  meanwhile_.erase(job);
  gated_.erase(job);
  displaced_.erase(job);
  courses_.erase(job);
  job->Finish(status);
  ended_(job->id);
  {
    MutexLock lock(mutex_);
    starts_.Leave(job, [this](const ActiveJobRef& next) { may_start_.push_back(next); });
  }
  StartNext();
}

void JobDesk::EndIfCancelled(const ActiveJobRef& job) {
  if (Holds(job) && job->cancelled.load()) End(job, {});
}

void JobDesk::SayWaiting(const ActiveJobRef& job, std::string waiting_for,
                         const DeviceLoop* device) {
  NoteWait(job, waiting_for, device);
  job->Tell([&](JobProgress& progress) {
    progress.phase = JobPhase::kCompiling;
    progress.waiting_for = std::move(waiting_for);
  });
}

void JobDesk::Explain(const ActiveJobRef& job, std::string reason) {
  job->Note([&](JobProgress& progress) { progress.placement_reason = std::move(reason); });
}

void JobDesk::AwaitCompiler(const ActiveJobRef& job, const DeviceLoop* device) {
  SayWaiting(job, "the compiler of the device " + Quoted(device->id()), device);
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
  const DeviceLoop* device = Pick(job, CompiledEngineFor(*job));
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
  const Engine compiled = CompiledEngineFor(*job);
  const bool enabled = !DevicesOf(compiled).empty();
  const Result<PlacementChoice> choice =
      ChoosePlacement({wanted, enabled, job->avoids, (*result)->refused, compiled});
  if (!choice.ok()) return End(job, choice.status());
  Explain(job, choice->reason);
  DeviceLoop* device = OpenDevice(job, choice->engine);
  if (device == nullptr) return AwaitGate(job, choice->engine);
  const bool as_chosen =
      (device == devices_.interpreter) == (choice->engine == Engine::kInterpreter);
  const LoweredRef lowered = as_chosen ? *result : WithoutText(**result);
  AwaitCompiler(job, device);
  BuildWaiter waiter;
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    OnBuilt(job, device, built);
  };
  waiter.compiling = [this, job, device, lowered] { StartMeanwhile(job, device, lowered); };
  waiter.better = [this, job, device](const Result<BuiltPipeline>& better) {
    OnBetter(job, device, better);
  };
  builder_.Get(lowered, *device, std::move(waiter));
}

void JobDesk::OnBuilt(const ActiveJobRef& job, DeviceLoop* device,
                      const Result<BuiltPipeline>& result) {
  if (meanwhile_.count(job) > 0) return OnBuiltMeanwhile(job, result);
  if (!Holds(job)) return;
  if (!result.ok() && result.status().reason() == Reason::kDeviceLost &&
      MayGoToAnother(job, device)) {
    return PrepareAgain(job);
  }
  if (!result.ok()) return Elsewhere(job, device, result.status());
  HandOver(job, device, *result);
}

void JobDesk::HandOver(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built) {
  if (job->cancelled.load()) return End(job, {});
  const bool is_home_open = displaced_.count(job) > 0 && IsOpen(CompiledEngineFor(*job));
  const std::vector<DeviceLoop*> devices = BoardedWith(job, device);
  if (devices.empty() || is_home_open) return PrepareAgain(job);
  job->Note([&built](JobProgress& progress) {
    progress.usage.pipeline_cached = built.cached;
    progress.usage.compile_time += built.time;
  });
  Board(job, devices, built);
  job->unsettled =
      job->plan.spec.placement == Placement::kAuto && devices_.cpu != nullptr && MayShare(*job);
  if (job->unsettled) Review(job);
}

// Together: a device's share counts on the others'.
void JobDesk::Board(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
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
  if (job->devices() > 1) SetPaces(job, CandidatesOf(job));
  for (DeviceLoop* device : devices) device->Add(job, built.pipeline);
}

// A compiler works for the job, for seconds or minutes.
void JobDesk::StartMeanwhile(const ActiveJobRef& job, DeviceLoop* device,
                             const LoweredRef& lowered) {
  if (!start_on_interpreter_ || job->plan.spec.placement != Placement::kAuto) return;
  if (!IsOpen(Engine::kInterpreter)) return;
  BuildWaiter waiter;
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    if (!Holds(job) || !built.ok()) return;  // it ended, or waits for the compiler after all
    if (job->cancelled.load()) return End(job, {});
    Explain(job, "It starts on the interpreter while the compiler of the device " +
                     Quoted(device->id()) + " works.");
    meanwhile_.emplace(job, Meanwhile{device, std::nullopt});
    Board(job, {devices_.interpreter}, *built);
  };
  builder_.Get(WithoutText(*lowered), *devices_.interpreter, std::move(waiter));
}

void JobDesk::OnBuiltMeanwhile(const ActiveJobRef& job, const Result<BuiltPipeline>& result) {
  if (result.ok()) {
    meanwhile_.at(job).built = *result;
    if (!IsOpen(CompiledEngineFor(*job))) return;
    return ReviewMeanwhile(job);
  }
  meanwhile_.erase(job);
  devices_.interpreter->Explain(job, CannotRun(result.status()));
}

// The full pipeline of a job that has the quick one.
void JobDesk::OnBetter(const ActiveJobRef& job, DeviceLoop* device,
                       const Result<BuiltPipeline>& better) {
  if (Holds(job)) return;
  const auto meanwhile = meanwhile_.find(job);
  if (!better.ok()) {
    device->Explain(job, "It runs on a quick build of the module, since there is no better one: " +
                             better.status().message());
  } else if (meanwhile != meanwhile_.end()) {
    meanwhile->second.built = *better;  // on its way from the interpreter
  } else {
    for (DeviceLoop* each : AllDevices()) each->Renew(job, better->pipeline);
  }
}

// The chosen device cannot: the interpreter can, unless the job insists or came from there.
void JobDesk::Elsewhere(const ActiveJobRef& job, const DeviceLoop* device, const Status& status) {
  if (device == devices_.interpreter || job->plan.spec.placement != Placement::kAuto) {
    return End(job, status);
  }
  job->avoids = CannotRun(status);
  Prepare(job);
}

void JobDesk::TakeBack(const Departure& departure, GivenBack why, const Status& status) {
  const ActiveJobRef job = departure.job;
  // A closed device is no fault of the job.
  if (why == GivenBack::kClosed) --courses_[job][DeviceNamed(departure.device)].joins;
  if (LeaveFor(departure)) return TakeBackShared(departure, why, status);
  held_.insert(job);
  displaced_.erase(job);
  WatchTime(job);
  if (job->cancelled.load()) return End(job, {});
  if (const auto meanwhile = meanwhile_.find(job); meanwhile != meanwhile_.end()) {
    const Meanwhile its = std::move(meanwhile->second);
    meanwhile_.erase(meanwhile);
    if (!its.built) return AwaitCompiler(job, its.device);
    Explain(job,
            "The module was compiled for the device " + Quoted(its.device->id()) + " meanwhile.");
    return HandOver(job, its.device, *its.built);
  }
  DeviceLoop* device = DeviceNamed(departure.device);
  switch (why) {
    case GivenBack::kNoMemory:
      return MayGoToAnother(job, device) ? PrepareAgain(job) : End(job, status);
    case GivenBack::kNoEngine:
      return MayGoToAnother(job, device) ? PrepareAgain(job) : Elsewhere(job, device, status);
    case GivenBack::kKillsEngine:
      builder_.Forget(departure.pipeline,
                      Status(Reason::kCompileFailed, status.message(), status.details()));
      return Elsewhere(job, device, status);
    case GivenBack::kClosed:
    case GivenBack::kRecalled: return PrepareAgain(job);
    case GivenBack::kBadPipeline: break;
  }
  // Built anew once; a second bad binary is the compiler's fault, not the disk's.
  const bool again = job->preparations > 1;
  builder_.Forget(departure.pipeline, again ? status : Status());
  return again ? Elsewhere(job, device, status) : Prepare(job);
}

}  // namespace wb
