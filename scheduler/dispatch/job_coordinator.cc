#include "scheduler/dispatch/job_coordinator.h"

#include <optional>
#include <string>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {
namespace {

constexpr uint32_t kMaxPreparations = 4;  // of one job, after broken binaries and lost devices

}  // namespace

JobCoordinator::JobCoordinator(const Sources& sources, DeviceSet devices, bool start_on_interpreter,
                               Ended ended, const Time& time)
    : lowering_(sources.lowering),
      builder_(sources.builder),
      ended_(std::move(ended)),
      devices_(std::move(devices)),
      places_(jobs_, devices_, start_on_interpreter),
      pictures_(jobs_, builder_, sources.rates),
      board_(time.clock),
      deadlines_(jobs_, time, *this),
      deferred_(jobs_, devices_, pictures_, builder_, time),
      quick_(jobs_, devices_, places_, pictures_),
      best_(jobs_, lowering_, builder_, sources.log),
      spread_(jobs_, devices_, places_),
      rebalance_(
          {jobs_, devices_, places_, pictures_, quick_, spread_, deferred_, lowering_, builder_},
          *this),
      warmup_({jobs_, devices_, places_, pictures_, quick_, deferred_, rebalance_, builder_},
              *this),
      gates_({jobs_, devices_, places_, pictures_, board_, warmup_}, *this),
      gpu_start_({jobs_, devices_, places_, pictures_, rebalance_}, *this),
      returned_({jobs_, devices_, places_, board_, deferred_, builder_}, *this) {}

void JobCoordinator::Admit(const ActiveJobRef& job) {
  jobs_.Add(job);
  deadlines_.Watch(job);
  const bool may_start = board_.Enter(job);
  if (deadlines_.EndIfNothingIsLeft(job) || !may_start) return;
  jobs_.Advance(job, JobEvent::kMayStart);
  Lower(job);
}

// Lowering may end a job, and that start the next: a loop, however many there are.
void JobCoordinator::StartNext() {
  if (starting_) return;
  starting_ = true;
  while (!may_start_.empty()) {
    const ActiveJobRef job = may_start_.front();
    may_start_.pop_front();
    if (jobs_.Advance(job, JobEvent::kMayStart) == JobAction::kLower) Lower(job);
  }
  starting_ = false;
}

void JobCoordinator::End(ActiveJobRef job, const Status& status) {
  board_.EndWait(job);
  deferred_.JobEnds(job);
  jobs_.Erase(job);
  pictures_.RecordLength(*job);
  job->KeepMoved();
  job->Finish(status);
  ended_(job->id);
  for (const ActiveJobRef& next : board_.Leave(job)) may_start_.push_back(next);
  StartNext();
  deferred_.BuildInIdleTime();
}

void JobCoordinator::EndIfCancelled(const ActiveJobRef& job) {
  if (jobs_.IsHeld(job) && job->cancelled.load()) End(job, {});
}

void JobCoordinator::EndIfFinished(const ActiveJobRef& job) {
  if (jobs_.IsHeld(job) && job->AllFinished()) End(job, {});
}

void JobCoordinator::AddGpu(DeviceLoop* gpu) {
  devices_.AddGpu(gpu);
  GatesChanged();
}

void JobCoordinator::TimeHasCome() {
  if (deadlines_.EndCalls()) devices_.WakeAll();
  deadlines_.EndOverdue();
  deferred_.ReviewByClock();
  builder_.TimeHasCome();
}

void JobCoordinator::StartOver(const ActiveJobRef& job) {
  jobs_.Advance(job, JobEvent::kStartsOver);
  Lower(job);
}

void JobCoordinator::PrepareAgain(const ActiveJobRef& job) {
  --job->preparations;
  jobs_.At(job).is_displaced = false;
  StartOver(job);
}

void JobCoordinator::Lower(const ActiveJobRef& job) {
  if (job->cancelled.load()) return End(job, {});
  if (++job->preparations > kMaxPreparations) {
    return End(job, Status(Reason::kDeviceLost, "The job was prepared " +
                                                    Quoted(uint64_t{kMaxPreparations}) +
                                                    " times and no device could keep it."));
  }
  board_.WaitForCompiler(job);
  const Placement wanted = job->plan.spec.placement;
  const DeviceLoop* device = places_.Pick(job, places_.CompiledClassOf(job));
  std::optional<CompileOptions> options;
  if (device != nullptr && job->avoids.empty() && wanted != Placement::kInterpreter) {
    options = OptionsFor(job->plan.spec, device->info().options);
  }
  lowering_.Get(LoweringOf(job->plan, options),
                [this, job](const Result<LoweredRef>& result) { OnLowered(job, result); });
}

void JobCoordinator::OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result) {
  if (jobs_.Advance(job, JobEvent::kLowered) != JobAction::kChooseDevice) return;
  if (!result.ok()) return End(job, result.status());
  const Placement wanted = job->plan.spec.placement;
  const DeviceClass compiled = places_.CompiledClassOf(job);
  const bool enabled = !devices_.Of(compiled).empty();
  const Result<PlacementChoice> choice =
      ChoosePlacement({wanted, enabled, job->avoids, (*result)->refused, compiled});
  if (!choice.ok()) return End(job, choice.status());
  ExplainPlacement(*job, choice->reason);
  DeviceLoop* device = gates_.OpenDevice(job, choice->device_class);
  if (device == nullptr) {
    jobs_.Advance(job, JobEvent::kDevicesClosed);
    return gates_.AwaitOpening(job, choice->device_class);
  }
  const bool on_interpreter = device == devices_.interpreter();
  const bool as_chosen = on_interpreter == (choice->device_class == DeviceClass::kInterpreter);
  if (as_chosen && !on_interpreter && !IsTextFor(*job, **result, device->info())) {
    return PrepareAgain(job);  // a device was closed or opened this very moment
  }
  GetPipeline(job, device, as_chosen ? *result : WithoutText(**result));
}

void JobCoordinator::GetPipeline(const ActiveJobRef& job, DeviceLoop* device,
                                 const LoweredRef& lowered) {
  board_.WaitForCompilerOf(job, device);
  BuildWaiter waiter;
  waiter.can_defer = places_.MayWarmUp(job);
  waiter.share = ShareOf(*job);
  waiter.done = [this, job, device](const Result<BuiltPipeline>& built) {
    OnBuilt(job, device, built);
  };
  waiter.compiling = [this, job, device, lowered] {
    return warmup_.OnCompiling(job, device, lowered);
  };
  waiter.better = [this, weak = std::weak_ptr(job), device](const Result<BuiltPipeline>& better) {
    deferred_.BuildInIdleTime();
    const ActiveJobRef waiting = weak.lock();
    if (waiting == nullptr) return;
    if (better.ok()) return TakeBetter(waiting, device, *better);
    device->Explain(waiting,
                    "It runs on a quick build of the module, since there is no better one: " +
                        better.status().message());
  };
  waiter.delayed = [this, job, device](uint32_t tries, const Status& why) {
    if (jobs_.IsHeld(job)) board_.WaitForRetry(job, device, tries, why);
  };
  builder_.Get(lowered, *device, waiter);
}

void JobCoordinator::OnBuilt(const ActiveJobRef& job, DeviceLoop* device,
                             const Result<BuiltPipeline>& result) {
  deferred_.BuildInIdleTime();
  RecordBuilt(*job, result);
  deferred_.Stop(job);
  const CoordinatedJob* record = jobs_.Find(job);
  const bool waits = record != nullptr && record->stage == JobStage::kOnInterpreter;
  if (waits && record->target != device) return;  // another device stands in for that by now
  switch (jobs_.Advance(job, result.ok() ? JobEvent::kBuilt : JobEvent::kBuildFailed)) {
    case JobAction::kPlace: return Place(job, device, *result);
    case JobAction::kReviewWarmup: return warmup_.OnBuilt(job, device, *result);
    case JobAction::kGoElsewhere: return returned_.OnBuildFailed(job, device, result.status());
    case JobAction::kKeepOnInterpreter: return warmup_.OnBuildFailed(job, device, result.status());
    default: return;
  }
}

void JobCoordinator::Place(const ActiveJobRef& job, DeviceLoop* device,
                           const BuiltPipeline& built) {
  if (places_.StandsIn(job, device)) return gates_.StandIn(job, device, built);
  if (gpu_start_.Begins(job, device, built)) return;
  if (auto reason = quick_.PrefersInterpreter(job, device, built)) {
    return warmup_.StartBeside(job, device, built, *std::move(reason));
  }
  HandOver(job, device, built);
}

void JobCoordinator::HandOver(const ActiveJobRef& job, DeviceLoop* device,
                              const BuiltPipeline& built) {
  if (job->cancelled.load()) return End(job, {});
  if (gpu_start_.Begins(job, device, built)) return;
  const bool is_home_open =
      jobs_.At(job).is_displaced && devices_.IsOpen(places_.CompiledClassOf(job));
  const std::vector<DeviceLoop*> devices = spread_.JoinedWith(job, device);
  if (devices.empty() || is_home_open) return PrepareAgain(job);
  job->Record([&built](JobProgress& progress) { progress.usage.pipeline_cached = built.cached; });
  job->unsettled = quick_.IsUnsettled(job, built);
  jobs_.Advance(job, JobEvent::kHandedOver);
  Join(job, devices, built);
  if (job->unsettled) Review(job);
}

void JobCoordinator::GoOnAfterProbe(const ActiveJobRef& job) {
  if (jobs_.Advance(job, JobEvent::kGpuAnswered) == JobAction::kHandOver) gpu_start_.EndProbe(job);
}

void JobCoordinator::Join(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
                          const BuiltPipeline& built) {
  CoordinatedJob& record = jobs_.At(job);
  for (DeviceLoop* device : devices) {
    record.SetReady(device, built);
    PlacementState& placement = record.placements[device];
    placement.runs = true;
    placement.is_asked_back = false;
    ++placement.joins;
    job->Join(device->id());
  }
  board_.EndWait(job);
  const std::vector<DeviceLoop*> candidates = places_.CandidatesOf(job);
  if (job->unsettled) JobPictures::SetNextReview(*job, pictures_.PictureOf(job, candidates));
  if (job->devices() > 1) pictures_.SetPaces(job, candidates);
  for (DeviceLoop* device : devices) device->Add(job, built.pipeline);
}

void JobCoordinator::TakeBetter(const ActiveJobRef& job, DeviceLoop* device,
                                const BuiltPipeline& better) {
  CoordinatedJob* record = jobs_.Find(job);
  if (record == nullptr) return;
  std::optional<BuiltPipeline>& built = record->placements[device].built;
  if (built && !built->pipeline.IsQuick()) return;  // the job waited for it twice
  built = better;
  RecordBuilt(*job, better);
  switch (jobs_.Advance(job, JobEvent::kBetterBuilt)) {
    case JobAction::kReviewWarmup:
      if (record->target == device) warmup_.OnBuilt(job, device, better);
      return;
    case JobAction::kSwapPipeline:
      // On a GPU that does not adopt it the lanes would have to be copied to the host and back, for
      // a few percent: jobs that come later get the better build.
      if (device != devices_.cpu() && !device->info().adopts_pipelines) return;
      job->unsettled = quick_.IsUnsettled(job, better);
      for (DeviceLoop* each : devices_.All()) each->SwapPipeline(job, better.pipeline);
      return;
    default: return;
  }
}

void JobCoordinator::Review(const ActiveJobRef& job) {
  if (job->cancelled.load()) return;
  switch (jobs_.Advance(job, JobEvent::kReviewDue)) {
    case JobAction::kHandOver: return gpu_start_.EndProbe(job);
    case JobAction::kReviewWarmup: return warmup_.Review(job);
    case JobAction::kRebalance: return rebalance_.Review(job);
    default: return;
  }
}

void JobCoordinator::TakeBack(const Departure& departure, GivenBack why, const Status& status) {
  const ActiveJobRef job = departure.job;
  CoordinatedJob& record = jobs_.At(job);
  DeviceLoop* device = devices_.Named(departure.device);
  PlacementState& placement = record.placements[device];
  if (why == GivenBack::kClosed) --placement.joins;  // a closed device is no fault of the job
  placement.runs = false;
  if (record.IsOnDevice()) {
    const bool was_interpreted = device == devices_.interpreter();
    jobs_.Advance(job, was_interpreted ? JobEvent::kLeftInterpreter : JobEvent::kLeftOne);
    return rebalance_.GoOnWithOthers(departure, why, status);
  }
  const JobAction action = jobs_.Advance(job, JobEvent::kGivenBack);
  record.is_displaced = false;
  deadlines_.Watch(job);
  if (job->cancelled.load()) return End(job, {});
  if (action == JobAction::kLeaveInterpreter) return returned_.LeaveInterpreter(job, why);
  returned_.FindAnotherPlace(departure, why, status);
}

void JobCoordinator::Leave(const Departure& departure) {
  CoordinatedJob& record = jobs_.At(departure.job);
  DeviceLoop* device = devices_.Named(departure.device);
  record.placements[device].runs = false;
  if (!record.IsOnDevice()) return End(departure.job, {});
  if (device == devices_.interpreter()) {
    jobs_.Advance(departure.job, JobEvent::kLeftInterpreter);
    record.target = nullptr;
  }
  devices_.WakeAll();  // they see that it has ended
}

}  // namespace wb
