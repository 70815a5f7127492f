#include "scheduler/scheduler_impl.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "scheduler/drain_jobs.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "scheduler/trace/tracing_sink.h"

namespace wb {
namespace {

constexpr uint32_t kMostBuilds = 8;  // of a device at a time, where no setting says it

void LogNothing(Severity, const std::string&) {}

PipelineCache::Options CacheOptions(const SchedulerSettings& settings) {
  PipelineCache::Options options;
  options.directory = settings.cache_directory;
  options.max_bytes = settings.cache_max_bytes;
  options.log = WarningsOf(settings.log);
  if (!settings.cache_key_folder.empty()) {
    options.key = CacheKey::OfFolder(settings.cache_key_folder, options.log);
  }
  return options;
}

SchedulerSettings WithLog(SchedulerSettings settings) {
  if (!settings.log) settings.log = &LogNothing;
  return settings;
}

}  // namespace

SchedulerImpl::SchedulerImpl(const SchedulerSettings& settings, Clock& clock,
                             std::unique_ptr<PipelineCache> cache)
    : settings_(WithLog(settings)),
      clock_(clock),
      cache_(std::move(cache)),
      occupancies_(*cache_),
      images_(settings_.moved_max_bytes),
      jobs_(clock_, settings_.max_queued_jobs),
      coordinator_queue_(1),
      alarm_(clock_, [this] { coordinator_queue_.Post([this] { coordinator_->TimeHasCome(); }); }),
      devices_({settings_, clock_, {rates_, images_}}),
      worker_queue_(1) {}

Status SchedulerImpl::Open(SchedulerParts parts) {
  tracer_ = std::move(parts.tracer);
  WB_TRY(devices_.Open(&parts, Events()));
  lowering_ =
      std::make_unique<Lowering>(std::move(parts.compiler), coordinator_queue_, worker_queue_);
  builder_ = std::make_unique<PipelineBuilder>(
      *cache_, clock_,
      PipelineBuilder::Queues{coordinator_queue_, worker_queue_,
                              [this](TimePoint at) { alarm_.SetBy(at); }},
      PipelineBuilder::Limits{settings_.compile_max_text_bytes, settings_.compile_retry_after,
                              settings_.compile_quick_only},
      BuildsAtOnce());
  coordinator_ = std::make_unique<JobCoordinator>(
      JobCoordinator::Sources{*lowering_, *builder_, rates_, settings_.log},
      DeviceSet(devices_.cpu(), devices_.Gpus(), devices_.interpreter()),
      settings_.start_on_interpreter, [this](JobId id) { jobs_.Remove(id); },
      JobCoordinator::Time{clock_, [this](TimePoint at) { alarm_.SetBy(at); }});
  return {};
}

DeviceEvents SchedulerImpl::Events() {
  DeviceEvents events;
  events.ended = [this](Departure departure) {
    coordinator_queue_.Post(
        [this, departure = std::move(departure)] { coordinator_->Leave(departure); });
  };
  events.given_back = [this](Departure departure, GivenBack why, const Status& status) {
    coordinator_queue_.Post([this, departure = std::move(departure), why, status] {
      coordinator_->TakeBack(departure, why, status);
    });
  };
  events.completed = [this](const ActiveJobRef& job) { Completed(job); };
  events.kept_busy = [this](const ActiveJobRef& job, const std::string& device,
                            std::chrono::nanoseconds busy) {
    coordinator_queue_.Post(
        [this, job, device, busy] { coordinator_->KeptBusy(job, device, busy); });
  };
  events.log = settings_.log;
  if (const auto observer = settings_.observer) {
    events.burst = [observer](const BurstRecord& burst) { observer->OnBurst(burst); };
  }
  events.find_occupancy = [this](const OccupancyOwner& owner) { return occupancies_.Find(owner); };
  events.remember_occupancy = [this](const OccupancyOwner& owner, const Occupancy& occupancy) {
    worker_queue_.Post([this, owner, occupancy] { occupancies_.Remember(owner, occupancy); });
  };
  return events;
}

// Other devices may seat more of it now, or less. The coordinator reviews the job once, however
// many launches complete before it does.
void SchedulerImpl::Completed(const ActiveJobRef& job) {
  if (job->devices() > 1) RoomChanged(job->id);
  if (job->review_posted.exchange(true)) return;
  coordinator_queue_.Post([this, job] {
    job->review_posted = false;
    coordinator_->Review(job);
  });
}

uint32_t SchedulerSettings::CompileParallel() const {
  if (compile_parallel != 0) return compile_parallel;
  return std::clamp(std::thread::hardware_concurrency() / 2, 1u, kMostBuilds);
}

SchedulerImpl::~SchedulerImpl() {
  Drain(std::chrono::nanoseconds(0), {});
  devices_.Close();
  worker_queue_.Close();
  if (builder_) builder_->Close();
  coordinator_queue_.Close();
}

Status SchedulerImpl::Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) {
  WB_ASSIGN(JobPlan plan, PlanJob(std::move(spec), {settings_.max_memory_bytes}));
  WB_TRY(devices_.CheckFits(plan));
  const TenantSettings& its = settings_.tenants.Of(plan.spec.tenant);
  std::shared_ptr<TracingSink> tracing;
  if (tracer_) sink = tracing = std::make_shared<TracingSink>(std::move(sink), *tracer_);
  auto job = std::make_shared<ActiveJob>(id, std::move(plan), std::move(sink), clock_, its,
                                         settings_.observer);
  if (tracing) tracing->Begin(JobPlanRef(job, &job->plan));
  WB_TRY(jobs_.Add(job, its));
  OpenCalls(job);
  coordinator_queue_.Post([this, job = std::move(job)] { coordinator_->Admit(job); });
  return {};
}

void SchedulerImpl::OpenCalls(const ActiveJobRef& job) {
  if (job->plan.spec.host_calls == nullptr) return;
  job->calls.OnExpiry([this](TimePoint at) { alarm_.SetBy(at); });
  job->plan.spec.host_calls->Open(
      [this, weak = std::weak_ptr(job)](std::vector<HostAnswer> answers) {
        const ActiveJobRef asking = weak.lock();
        if (asking == nullptr) return;
        asking->calls.Answer(std::move(answers));
        for (DeviceLoop* loop : devices_.All()) loop->Wake();
        if (!asking->AllFinished()) return;
        coordinator_queue_.Post([this, asking] { coordinator_->EndIfFinished(asking); });
      });
}

void SchedulerImpl::CancelJob(const ActiveJobRef& job) {
  job->cancelled.store(true);
  coordinator_queue_.Post([this, job] { coordinator_->EndIfCancelled(job); });
  for (DeviceLoop* loop : devices_.All()) loop->Cancelled(job.get());
}

void SchedulerImpl::Cancel(JobId id) {
  if (const ActiveJobRef job = jobs_.Of(id)) CancelJob(job);
}

Status SchedulerImpl::Checkpoint(JobId id, StateKeeperRef keeper) {
  const ActiveJobRef job = jobs_.Of(id);
  if (job == nullptr) return Status(Reason::kNotFound, "The job has ended.");
  if (!job->plan.spec.host_imports.empty()) {
    return Status(Reason::kInvalidArgument,
                  "The job's caller answers host calls, and its instances cannot be left midway. "
                  "Let it end, or cancel it.",
                  {{"field", "name"}});
  }
  if (job->plan.spec.residents != nullptr) {
    return Status(Reason::kInvalidArgument,
                  "The job is a call of a session, which keeps what its instances come to. Let it "
                  "end, or cancel it.",
                  {{"field", "name"}});
  }
  job->LeaveTo(std::move(keeper));
  CancelJob(job);
  return {};
}

void SchedulerImpl::RoomChanged(JobId) {
  for (DeviceLoop* loop : devices_.All()) loop->Wake();
}

std::vector<WaitReason> SchedulerImpl::Waits(JobId id) const {
  const ActiveJobRef job = jobs_.Of(id);
  if (job == nullptr) return {};
  for (const DeviceLoop* loop : devices_.All()) {
    if (loop->Runs(*job)) return {};  // it may be on several
  }
  const auto held_up = job->HeldUpByReader();
  std::vector<WaitReason> waits = coordinator_->WaitsOf(job);
  for (const DeviceLoop* loop : devices_.All()) {
    for (WaitReason& reason : loop->WaitsOf(*job)) {
      // Its turn would not help a job that has no room for results.
      const bool matters = !held_up || reason.cause != WaitCause::kTurn;
      if (matters) waits.push_back(std::move(reason));
    }
  }
  if (held_up) waits.push_back(WaitForReader(*held_up));
  if (const uint64_t calls = job->calls.Asking()) {
    waits.push_back(WaitForCaller(calls, job->plan.spec.host_calls->IsServed()));
  }
  return waits;
}

Result<GateChange> SchedulerImpl::OrderGate(const std::string& device, const GateOrder& order) {
  WB_ASSIGN(DeviceLoop* const loop, devices_.Of(device));
  const bool changed = loop->Order(order);
  if (changed) coordinator_queue_.Post([this] { coordinator_->GatesChanged(); });
  return GateChange{loop->Snapshot(), changed};
}

std::vector<std::string> SchedulerImpl::FindDevices() {
  DeviceLoops::NewGpu hears;
  hears.opened = [this](DeviceLoop* loop) {
    builder_->AddDevice(*loop, settings_.CompileParallel());
  };
  hears.added = [this](DeviceLoop* loop) {
    coordinator_queue_.Post([this, loop] { coordinator_->AddGpu(loop); });
  };
  return devices_.Find(hears);
}

// The interpreter's builds take no time.
std::map<BuildTarget*, uint32_t> SchedulerImpl::BuildsAtOnce() const {
  std::map<BuildTarget*, uint32_t> builds;
  for (DeviceLoop* loop : devices_.All()) builds[loop] = settings_.CompileParallel();
  builds[devices_.interpreter()] = 1;
  return builds;
}

std::vector<DeviceStatus> SchedulerImpl::Devices() const {
  std::vector<DeviceStatus> devices;
  for (const DeviceLoop* loop : devices_.All()) devices.push_back(loop->Snapshot());
  return devices;
}

Result<std::vector<PipelineStatus>> SchedulerImpl::Pipelines(const std::string& device,
                                                             const Digest& module) const {
  WB_ASSIGN(const DeviceLoop* const loop, devices_.Of(device));
  return loop->Pipelines(module);
}

// A job that answers host calls has no states that could go on.
void SchedulerImpl::Stop(const ActiveJobRef& job, const KeeperOf& keeper_of) {
  const JobSpec& spec = job->plan.spec;
  const bool may_leave = spec.host_imports.empty() && spec.residents == nullptr;
  if (keeper_of && may_leave) job->LeaveTo(keeper_of(job->id));
  CancelJob(job);
}

void SchedulerImpl::Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) {
  jobs_.StopAdmitting();
  DrainJobs(jobs_, clock_, clock_.Now() + deadline,
            [&](const ActiveJobRef& job) { Stop(job, keeper_of); });
  if (tracer_) tracer_->Drain();
}

Result<std::unique_ptr<Scheduler>> AssembleScheduler(const SchedulerSettings& settings,
                                                     SchedulerParts parts) {
  WB_ASSIGN(auto cache, PipelineCache::Open(CacheOptions(settings)));
  auto scheduler = std::make_unique<SchedulerImpl>(settings, *parts.clock, std::move(cache));
  WB_TRY(scheduler->Open(std::move(parts)));
  return std::unique_ptr<Scheduler>(std::move(scheduler));
}

}  // namespace wb
