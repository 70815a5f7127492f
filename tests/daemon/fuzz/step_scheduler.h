#pragma once

// A Scheduler without a thread: jobs go on when Step is called, so that an input does the same each
// time. An instance's calls return values of the types that its functions have; some instances
// trap, exit or write outputs. A job that calls "spin" ends when it is cancelled.
//
// Threads: Submit, Cancel and RoomChanged from one thread, which also calls Step.

#include <map>
#include <memory>

#include "scheduler/scheduler.h"

namespace wb {

class StepScheduler : public Scheduler {
 public:
  Status Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) override;
  void Cancel(JobId id) override;
  Status Checkpoint(JobId id, StateKeeperRef keeper) override;
  void RoomChanged(JobId) override {}
  std::vector<WaitReason> Waits(JobId id) const override;
  std::vector<DeviceStatus> Devices() const override;
  std::vector<std::string> MissingDevices() const override { return {}; }
  std::vector<std::string> FindDevices() override { return {}; }
  Result<GateChange> OrderGate(const std::string& device, const GateOrder& order) override;
  Result<std::vector<PipelineStatus>> Pipelines(const std::string& device,
                                                const Digest& module) const override;
  std::vector<CacheEntry> CacheList() const override { return {}; }
  CacheStats CacheStatus() const override { return {}; }
  Result<uint64_t> CachePrune(bool) override { return uint64_t{0}; }
  void Drain(std::chrono::nanoseconds, const KeeperOf&) override;

  // Some instances of every job, as far as there is room for their results.
  void Step();
  size_t jobs() const { return jobs_.size(); }

 private:
  struct Job {
    JobSpec spec;
    std::shared_ptr<ResultSink> sink;
    uint64_t next = 0;  // instance
    uint64_t fuel = 0;
    bool cancelled = false;
    bool has_asked = false;  // its caller, for an answer
  };
  static bool Advance(Job* job);  // true: it has ended

  std::map<JobId, Job> jobs_;
  DeviceGate gate_;
};

}  // namespace wb
