#pragma once

// A Scheduler that computes results itself, on one thread, in the order of submission. What an
// instance does is decided by the name of the first call's export, so that tests need no engine:
//   "identity" returns its arguments; "trap" traps; "spin" never ends (until it is cancelled);
//   "_start" is a program (fake_program.h);
//   "bytes" has one output "out" of as many bytes as its first argument says.
// With a pace it takes the time of a device that finishes so many instances in a second, and next
// to no processor time: many such daemons show on one machine what many hosts do.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "scheduler/scheduler.h"

namespace wb {

class FakeScheduler : public Scheduler {
 public:
  static constexpr uint32_t kFakeFuel = 5;

  // `per_second` instances finish in a second, of all jobs together; 0: as fast as can be.
  explicit FakeScheduler(uint64_t results_at_a_time = 7, double per_second = 0);
  ~FakeScheduler() override;

  Status Submit(JobId id, JobSpec spec, std::shared_ptr<ResultSink> sink) override;
  void Cancel(JobId id) override;
  // Every instance that is left has used kFakeFuel, and its state is its number.
  Status Checkpoint(JobId id, StateKeeperRef keeper) override;
  void RoomChanged(JobId id) override;
  std::vector<WaitReason> Waits(JobId id) const override;
  std::vector<DeviceStatus> Devices() const override;
  std::vector<std::string> MissingDevices() const override {
    return {"There is no GPU: nobody made one."};
  }
  std::vector<std::string> FindDevices() override { return {}; }
  Result<GateChange> OrderGate(const std::string& device, const GateOrder& order) override;
  Result<std::vector<PipelineStatus>> Pipelines(const std::string& device,
                                                const Digest& module) const override;
  std::vector<CacheEntry> CacheList() const override;
  CacheStats CacheStatus() const override;
  Result<uint64_t> CachePrune(bool all) override;
  void Drain(std::chrono::nanoseconds deadline, const KeeperOf& keeper_of) override;

  // Jobs are taken, but nothing runs until Release.
  void Hold();
  void Release();
  std::shared_ptr<const JobBefore> last_before() const;  // of the last job; may be null
  void RefuseNext(Status status);                        // the next Submit's answer
  void HasHost(int64_t process);                         // its device's engine host; 0: none

 private:
  struct Job {
    JobId id = 0;
    JobSpec spec;
    std::shared_ptr<ResultSink> sink;
    std::vector<InstanceRange> rest;  // instances to run, those next first
    uint64_t fuel = 0;
    bool cancelled = false;
  };
  static void KeepRest(const Job& job, StateKeeper& keeper);
  void Run();
  void Step(Job* job, std::unique_lock<std::mutex>* lock);
  static std::vector<InstanceResult> RunSome(Job* job, uint64_t count);
  void TakeTime(uint64_t count);

  const uint64_t results_at_a_time_;
  const double per_second_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<JobId, std::unique_ptr<Job>> jobs_;
  bool held_ = false;
  bool stopping_ = false;
  bool draining_ = false;
  std::shared_ptr<const JobBefore> last_before_;
  uint64_t wakes_ = 0;
  Status refusal_;
  int64_t host_pid_ = 0;
  DeviceGate gate_;                            // of the one device; its time stands still
  std::chrono::steady_clock::time_point due_;  // when what it works on is finished
  std::thread thread_;
};

// What the fake does for one instance; pure.
InstanceResult FakeInstance(const JobSpec& spec, uint64_t instance);

}  // namespace wb
