#pragma once

// The scheduler: jobs by id, and the threads that move them (README.md shows the way of a job).

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/alarm.h"
#include "scheduler/dispatch/job_coordinator.h"
#include "scheduler/pipelines/occupancy_notes.h"
#include "scheduler/pipelines/pipeline_builder.h"
#include "scheduler/pipelines/pipeline_cache.h"
#include "scheduler/scheduler_parts.h"

namespace wb {

class SchedulerImpl final : public Scheduler {
 public:
  SchedulerImpl(const SchedulerSettings& settings, Clock& clock,
                std::unique_ptr<PipelineCache> cache);
  ~SchedulerImpl() override;  // cancels what runs

  Status Open(SchedulerParts parts);  // starts the devices; once, first

  Status Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) override;
  void Cancel(JobId id) override;
  Status Checkpoint(JobId id, StateKeeperRef keeper) override;
  void RoomChanged(JobId id) override;
  std::vector<WaitReason> Waits(JobId id) const override;
  std::vector<DeviceStatus> Devices() const override;
  std::vector<std::string> MissingDevices() const override;
  std::vector<std::string> FindDevices() override;
  Result<GateChange> OrderGate(const std::string& device, const GateOrder& order) override;
  Result<std::vector<PipelineStatus>> Pipelines(const std::string& device,
                                                const Digest& module) const override;
  std::vector<CacheEntry> CacheList() const override { return cache_->List(); }
  CacheStats CacheStatus() const override { return cache_->Stats(); }
  Result<uint64_t> CachePrune(bool all) override { return cache_->Prune(all); }
  void Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) override;

 private:
  DeviceEvents Events();
  DeviceLoop::Common Common() { return {rates_, images_}; }
  Status OpenCpu(SchedulerParts& parts);
  std::vector<std::unique_ptr<DeviceLoop>> OpenGpus(GpuSearch& search);
  Status OpenFirstGpus();
  void RecordMissing(std::string words);
  std::vector<DeviceLoop*> Loops() const;                       // those that are there
  Result<DeviceLoop*> LoopOf(const std::string& device) const;  // NOT_FOUND names the devices
  std::map<BuildTarget*, uint32_t> BuildsAtOnce() const;
  Status CheckFits(const JobPlan& plan) const;
  void Completed(const ActiveJobRef& job);
  ActiveJobRef JobOf(JobId id) const;  // null: unknown or ended
  void CancelJob(const ActiveJobRef& job);
  void OpenCalls(const ActiveJobRef& job);
  void Forget(JobId id);
  void DrainJobs(TimePoint until, const KeeperOf& keeper_of);
  void Stop(const ActiveJobRef& job, const KeeperOf& keeper_of);
  bool AwaitNoJobs(TimePoint until);
  std::vector<ActiveJobRef> Jobs() const;
  // Cancels jobs that have been held up since before; `since` is for the next call.
  void CancelHeldUp(std::map<JobId, TimePoint>* since, const KeeperOf& keeper_of);

  const SchedulerSettings settings_;
  Clock& clock_;
  const std::unique_ptr<PipelineCache> cache_;
  const OccupancyNotes occupancies_;
  std::unique_ptr<Tracer> tracer_;  // set by Open; optional

  RateBook rates_;
  const ImageBudget images_;

  // The coordinator's queue is made first and closed last: all other parts post to it.
  WorkQueue coordinator_queue_;
  Alarm alarm_;  // of the coordinator
  std::unique_ptr<DeviceLoop> cpu_;
  std::unique_ptr<DeviceLoop> interpreter_;
  GpuParts gpu_parts_;      // set by Open
  WorkQueue worker_queue_;  // lowering, and reading the cache
  std::unique_ptr<Lowering> lowering_;
  std::unique_ptr<PipelineBuilder> builder_;
  std::unique_ptr<JobCoordinator> coordinator_;

  Mutex finding_;  // one search at a time
  mutable Mutex devices_mutex_;
  std::vector<std::unique_ptr<DeviceLoop>> gpus_ WB_GUARDED_BY(devices_mutex_);  // more may come
  std::vector<std::string> missing_ WB_GUARDED_BY(devices_mutex_);

  mutable Mutex mutex_;
  CondVar jobs_changed_;
  std::map<JobId, ActiveJobRef> jobs_ WB_GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> tenant_jobs_ WB_GUARDED_BY(mutex_);
  bool draining_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
