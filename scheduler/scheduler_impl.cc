#include "scheduler/scheduler_impl.h"

#include <algorithm>
#include <utility>

#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr uint32_t kBuildThreads = 2;

void LogNothing(const std::string&) {}

PipelineCache::Options CacheOptions(const SchedulerSettings& settings) {
  return {settings.cache_directory, settings.cache_max_bytes, settings.log};
}

SchedulerSettings WithLog(SchedulerSettings settings) {
  if (!settings.log) settings.log = &LogNothing;
  return settings;
}

}  // namespace

SchedulerImpl::SchedulerImpl(const SchedulerSettings& settings, SchedulerParts parts,
                             std::unique_ptr<PipelineCache> cache)
    : settings_(WithLog(settings)),
      clock_(*parts.clock),
      cache_(std::move(cache)),
      desk_queue_(1),
      worker_queue_(1),
      build_queue_(kBuildThreads) {
  if (parts.cpu) {
    cpu_ =
        std::make_unique<DeviceLoop>("cpu0", std::move(parts.cpu), settings_.cpu, clock_, Events());
  }
  interpreter_ = std::make_unique<DeviceLoop>("interpreter0", std::move(parts.interpreter),
                                              settings_.interpreter, clock_, Events());
  lowering_ = std::make_unique<Lowering>(std::move(parts.compiler), desk_queue_, worker_queue_);
  builder_ = std::make_unique<PipelineBuilder>(
      *cache_, clock_, PipelineBuilder::Queues{desk_queue_, worker_queue_, build_queue_});
  desk_ = std::make_unique<JobDesk>(*lowering_, *builder_, cpu_.get(), *interpreter_,
                                    [this](JobId id) { Forget(id); });
}

DeviceEvents SchedulerImpl::Events() {
  DeviceEvents events;
  events.ended = [this](ActiveJobRef job) {
    desk_queue_.Post([this, job = std::move(job)] { desk_->End(job, {}); });
  };
  events.given_back = [this](ActiveJobRef job, GivenBack why, const Status& status) {
    desk_queue_.Post(
        [this, job = std::move(job), why, status] { desk_->TakeBack(job, why, status); });
  };
  events.log = settings_.log;
  return events;
}

Status SchedulerImpl::Open() {
  if (cpu_) WB_TRY(cpu_->Open());
  return interpreter_->Open();
}

SchedulerImpl::~SchedulerImpl() {
  Drain(std::chrono::nanoseconds(0));
  if (cpu_) cpu_->Close();
  interpreter_->Close();
  worker_queue_.Close();
  build_queue_.Close();
  desk_queue_.Close();
}

Status SchedulerImpl::CheckFits(const JobPlan& plan) const {
  uint64_t most = interpreter_->info().memory_bytes;
  if (cpu_) most = std::max(most, cpu_->info().memory_bytes);
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
  auto job = std::make_shared<ActiveJob>(id, std::move(plan), std::move(sink));
  {
    MutexLock lock(mutex_);
    if (draining_) return Status(Reason::kDraining, "The daemon is ending and takes no more jobs.");
    if (jobs_.size() >= settings_.max_queued_jobs) {
      return Status(Reason::kQueueFull, "There are [" + std::to_string(jobs_.size()) +
                                            "] jobs already, as many as are accepted.");
    }
    if (!jobs_.emplace(id, job).second) {
      return Status(Reason::kInvalidArgument, "There is a job " + Quoted(id) + " already.",
                    {{"field", "id"}});
    }
  }
  desk_queue_.Post([this, job = std::move(job)] { desk_->Admit(job); });
  return {};
}

void SchedulerImpl::Forget(JobId id) {
  {
    MutexLock lock(mutex_);
    jobs_.erase(id);
  }
  jobs_changed_.NotifyAll();
}

void SchedulerImpl::CancelJob(const ActiveJobRef& job) {
  job->cancelled.store(true);
  desk_queue_.Post([this, job] { desk_->EndIfCancelled(job); });
  if (cpu_) cpu_->Cancelled(job.get());
  interpreter_->Cancelled(job.get());
}

void SchedulerImpl::Cancel(JobId id) {
  ActiveJobRef job;
  {
    MutexLock lock(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) return;
    job = found->second;
  }
  CancelJob(job);
}

void SchedulerImpl::RoomChanged(JobId) {
  if (cpu_) cpu_->Wake();
  interpreter_->Wake();
}

std::vector<DeviceStatus> SchedulerImpl::Devices() const {
  std::vector<DeviceStatus> devices;
  if (cpu_) devices.push_back(cpu_->Snapshot());
  devices.push_back(interpreter_->Snapshot());
  return devices;
}

bool SchedulerImpl::AwaitNoJobs(TimePoint until) {
  MutexLock lock(mutex_);
  while (!jobs_.empty() && clock_.Now() < until) clock_.WaitUntil(mutex_, jobs_changed_, until);
  return jobs_.empty();
}

void SchedulerImpl::Drain(std::chrono::nanoseconds deadline) {
  {
    MutexLock lock(mutex_);
    draining_ = true;
  }
  if (AwaitNoJobs(clock_.Now() + deadline)) return;
  std::vector<ActiveJobRef> left;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, job] : jobs_) left.push_back(job);
  }
  for (const ActiveJobRef& job : left) CancelJob(job);
  AwaitNoJobs(TimePoint::max());
}

Result<std::unique_ptr<Scheduler>> AssembleScheduler(const SchedulerSettings& settings,
                                                     SchedulerParts parts) {
  WB_ASSIGN(auto cache, PipelineCache::Open(CacheOptions(settings)));
  auto scheduler = std::make_unique<SchedulerImpl>(settings, std::move(parts), std::move(cache));
  WB_TRY(scheduler->Open());
  return std::unique_ptr<Scheduler>(std::move(scheduler));
}

}  // namespace wb
