#pragma once

// The scheduler: puts its parts together, and hands calls and events from one to the other
// (README.md shows the way of a job).

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/base/alarm.h"
#include "scheduler/device_loops.h"
#include "scheduler/dispatch/job_coordinator.h"
#include "scheduler/job_register.h"
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
  std::vector<std::string> MissingDevices() const override { return devices_.Missing(); }
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
  std::map<BuildTarget*, uint32_t> BuildsAtOnce() const;
  void Completed(const ActiveJobRef& job);
  void CancelJob(const ActiveJobRef& job);
  void OpenCalls(const ActiveJobRef& job);
  void Stop(const ActiveJobRef& job, const KeeperOf& keeper_of);

  const SchedulerSettings settings_;
  Clock& clock_;
  const std::unique_ptr<PipelineCache> cache_;
  const OccupancyNotes occupancies_;
  std::unique_ptr<Tracer> tracer_;  // set by Open; optional

  RateBook rates_;
  const ImageBudget images_;
  JobRegister jobs_;

  // The coordinator's queue is made first and closed last: all other parts post to it.
  WorkQueue coordinator_queue_;
  Alarm alarm_;  // of the coordinator
  DeviceLoops devices_;
  WorkQueue worker_queue_;  // lowering, and reading the cache
  std::unique_ptr<Lowering> lowering_;
  std::unique_ptr<PipelineBuilder> builder_;
  std::unique_ptr<JobCoordinator> coordinator_;
};

}  // namespace wb
