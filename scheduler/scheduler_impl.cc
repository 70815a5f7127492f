#include "scheduler/scheduler_impl.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "scheduler/trace/tracing_sink.h"

namespace wb {
namespace {

// A drain looks so often for jobs that only a reader could let go on, and waits so long for one.
constexpr std::chrono::milliseconds kDrainPeriod{100};
constexpr std::chrono::seconds kReaderIsGone{1};

constexpr uint32_t kMostBuilds = 8;  // of a device at a time, where no setting says it

void LogNothing(const std::string&) {}

PipelineCache::Options CacheOptions(const SchedulerSettings& settings) {
  PipelineCache::Options options;
  options.directory = settings.cache_directory;
  options.max_bytes = settings.cache_max_bytes;
  options.log = settings.log;
  const auto log = settings.log ? settings.log : &LogNothing;
  if (!settings.cache_key_folder.empty()) {
    options.key = CacheKey::OfFolder(settings.cache_key_folder, log);
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
      coordinator_queue_(1),
      alarm_(clock_, [this] { coordinator_queue_.Post([this] { coordinator_->TimeHasCome(); }); }),
      worker_queue_(1) {}

Status SchedulerImpl::Open(SchedulerParts parts) {
  tracer_ = std::move(parts.tracer);
  WB_TRY(OpenCpu(parts));
  gpu_parts_ = std::move(parts.gpus);
  WB_TRY(OpenFirstGpus());
  interpreter_ = std::make_unique<DeviceLoop>(settings_.device_prefix + "interpreter0",
                                              std::move(parts.interpreter), settings_.interpreter,
                                              clock_, Common(), Events());
  WB_TRY(interpreter_->Open());
  lowering_ =
      std::make_unique<Lowering>(std::move(parts.compiler), coordinator_queue_, worker_queue_);
  builder_ = std::make_unique<PipelineBuilder>(
      *cache_, clock_,
      PipelineBuilder::Queues{coordinator_queue_, worker_queue_,
                              [this](TimePoint at) { alarm_.SetBy(at); }},
      PipelineBuilder::Limits{settings_.compile_max_text_bytes, settings_.compile_retry_after,
                              settings_.compile_quick_only},
      BuildsAtOnce());
  std::vector<DeviceLoop*> gpus;
  for (DeviceLoop* loop : Loops()) {
    if (loop != cpu_.get() && loop != interpreter_.get()) gpus.push_back(loop);
  }
  coordinator_ = std::make_unique<JobCoordinator>(
      JobCoordinator::Sources{*lowering_, *builder_, rates_},
      DeviceSet(cpu_.get(), std::move(gpus), interpreter_.get()), settings_.start_on_interpreter,
      [this](JobId id) { Forget(id); },
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
  for (DeviceLoop* loop : Loops()) loop->Close();
  worker_queue_.Close();
  if (builder_) builder_->Close();
  coordinator_queue_.Close();
}

Status SchedulerImpl::CheckFits(const JobPlan& plan) const {
  uint64_t most = 0;
  for (const DeviceLoop* loop : Loops()) most = std::max(most, loop->info().memory_bytes);
  const uint64_t needed = uint64_t{plan.max_pages} * abi::PAGE_BYTES;
  if (needed < most) return {};
  return Status(Reason::kNoDeviceFits,
                "An instance may grow to " + Quoted(needed) +
                    " bytes of memory; no device here has more than " + Quoted(most) + ".",
                {{"field", "limits.max_memory_bytes"}});
}

Status SchedulerImpl::Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) {
  WB_ASSIGN(JobPlan plan, PlanJob(std::move(spec), {settings_.max_memory_bytes}));
  WB_TRY(CheckFits(plan));
  const std::string tenant = plan.spec.tenant;
  const TenantSettings& its = settings_.tenants.Of(tenant);
  const uint64_t instance_bytes = uint64_t{plan.max_pages} * abi::PAGE_BYTES;
  std::shared_ptr<TracingSink> tracing;
  if (tracer_) sink = tracing = std::make_shared<TracingSink>(std::move(sink), *tracer_);
  auto job = std::make_shared<ActiveJob>(id, std::move(plan), std::move(sink), clock_, its,
                                         settings_.observer);
  if (tracing) tracing->Begin(JobPlanRef(job, &job->plan));
  {
    MutexLock lock(mutex_);
    if (draining_) return Status(Reason::kDraining, "The daemon is ending and takes no more jobs.");
    if (jobs_.size() >= settings_.max_queued_jobs) {
      return Status(Reason::kQueueFull, "There are [" + std::to_string(jobs_.size()) +
                                            "] jobs already, as many as are accepted.");
    }
    const auto known = tenant_jobs_.find(tenant);
    const uint64_t of_tenant = known == tenant_jobs_.end() ? 0 : known->second;
    WB_TRY(CheckTenant(tenant, its, of_tenant, instance_bytes));
    if (!jobs_.emplace(id, job).second) {
      return Status(Reason::kInvalidArgument, "There is a job " + Quoted(id) + " already.",
                    {{"field", "id"}});
    }
    ++tenant_jobs_[tenant];
  }
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
        for (DeviceLoop* loop : Loops()) loop->Wake();
        if (!asking->AllFinished()) return;
        coordinator_queue_.Post([this, asking] { coordinator_->EndIfFinished(asking); });
      });
}

void SchedulerImpl::Forget(JobId id) {
  {
    MutexLock lock(mutex_);
    const auto job = jobs_.find(id);
    if (job == jobs_.end()) return;
    const auto its = tenant_jobs_.find(job->second->plan.spec.tenant);
    if (--its->second == 0) tenant_jobs_.erase(its);
    jobs_.erase(job);
  }
  jobs_changed_.NotifyAll();
}

void SchedulerImpl::CancelJob(const ActiveJobRef& job) {
  job->cancelled.store(true);
  coordinator_queue_.Post([this, job] { coordinator_->EndIfCancelled(job); });
  for (DeviceLoop* loop : Loops()) loop->Cancelled(job.get());
}

ActiveJobRef SchedulerImpl::JobOf(JobId id) const {
  MutexLock lock(mutex_);
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : found->second;
}

void SchedulerImpl::Cancel(JobId id) {
  if (const ActiveJobRef job = JobOf(id)) CancelJob(job);
}

Status SchedulerImpl::Checkpoint(JobId id, StateKeeperRef keeper) {
  const ActiveJobRef job = JobOf(id);
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
  for (DeviceLoop* loop : Loops()) loop->Wake();
}

std::vector<WaitReason> SchedulerImpl::Waits(JobId id) const {
  const ActiveJobRef job = JobOf(id);
  if (job == nullptr) return {};
  for (const DeviceLoop* loop : Loops()) {
    if (loop->Runs(*job)) return {};  // it may be on several
  }
  const auto held_up = job->HeldUpByReader();
  std::vector<WaitReason> waits = coordinator_->WaitsOf(job);
  for (const DeviceLoop* loop : Loops()) {
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
  WB_ASSIGN(DeviceLoop* const loop, LoopOf(device));
  const bool changed = loop->Order(order);
  if (changed) coordinator_queue_.Post([this] { coordinator_->GatesChanged(); });
  return GateChange{loop->Snapshot(), changed};
}

bool SchedulerImpl::AwaitNoJobs(TimePoint until) {
  MutexLock lock(mutex_);
  while (!jobs_.empty() && clock_.Now() < until) clock_.WaitUntil(mutex_, jobs_changed_, until);
  return jobs_.empty();
}

std::vector<ActiveJobRef> SchedulerImpl::Jobs() const {
  std::vector<ActiveJobRef> jobs;
  MutexLock lock(mutex_);
  for (const auto& [id, job] : jobs_) jobs.push_back(job);
  return jobs;
}

// A job that answers host calls has no states that could go on.
void SchedulerImpl::Stop(const ActiveJobRef& job, const KeeperOf& keeper_of) {
  const JobSpec& spec = job->plan.spec;
  const bool may_leave = spec.host_imports.empty() && spec.residents == nullptr;
  if (keeper_of && may_leave) job->LeaveTo(keeper_of(job->id));
  CancelJob(job);
}

void SchedulerImpl::CancelHeldUp(std::map<JobId, TimePoint>* since, const KeeperOf& keeper_of) {
  const TimePoint now = clock_.Now();
  std::map<JobId, TimePoint> held_up;
  for (const ActiveJobRef& job : Jobs()) {
    if (!job->HeldUpByReader()) continue;
    const auto known = since->find(job->id);
    const TimePoint began = known == since->end() ? now : known->second;
    held_up.emplace(job->id, began);
    if (now - began >= kReaderIsGone) Stop(job, keeper_of);
  }
  since->swap(held_up);
}

void SchedulerImpl::Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) {
  {
    MutexLock lock(mutex_);
    draining_ = true;
  }
  DrainJobs(clock_.Now() + deadline, keeper_of);
  if (tracer_) tracer_->Drain();
}

void SchedulerImpl::DrainJobs(TimePoint until, const KeeperOf& keeper_of) {
  std::map<JobId, TimePoint> held_up;
  while (clock_.Now() < until) {
    if (AwaitNoJobs(std::min(until, clock_.Now() + kDrainPeriod))) return;
    CancelHeldUp(&held_up, keeper_of);
  }
  for (const ActiveJobRef& job : Jobs()) Stop(job, keeper_of);
  AwaitNoJobs(TimePoint::max());
}

Result<std::unique_ptr<Scheduler>> AssembleScheduler(const SchedulerSettings& settings,
                                                     SchedulerParts parts) {
  WB_ASSIGN(auto cache, PipelineCache::Open(CacheOptions(settings)));
  auto scheduler = std::make_unique<SchedulerImpl>(settings, *parts.clock, std::move(cache));
  WB_TRY(scheduler->Open(std::move(parts)));
  return std::unique_ptr<Scheduler>(std::move(scheduler));
}

}  // namespace wb
