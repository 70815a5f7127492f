#pragma once

// Checkpoints: jobs that leave the scheduler with the states of their instances, and begin with
// these again: at a client's order (the job is CHECKPOINTED then), or since the daemon stops.
//
// States stay until the job has ended: a newer one takes an older one's place, and an instance that
// has not finished may begin in any state that it was once left in.
//
// Threads: any.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compiler/base/mutex.h"
#include "daemon/checkpoints/state_files.h"
#include "daemon/store/job_store.h"
#include "scheduler/scheduler.h"

namespace wb {

class Checkpoints {
 public:
  struct Parts {
    std::shared_ptr<StateFiles> files;
    std::shared_ptr<JobStore> store;
    Scheduler* scheduler = nullptr;  // outlives it
    std::string compiler;            // version of the states that can go on
  };
  explicit Checkpoints(Parts parts) : parts_(std::move(parts)) {}

  // The job stops, and is CHECKPOINTED once its states are kept. NOT_FOUND, JOB_TERMINAL;
  // INVALID_ARGUMENT: it is so, or its caller answers host calls.
  Result<JobInfo> Checkpoint(const std::string& id);
  // What a checkpointed job goes on with, but states; nullopt: it is none.
  std::optional<JobBefore> LeftOf(const std::string& id) const;
  void RememberLeft(const std::string& id, JobBefore before);  // of an earlier daemon
  void Resumed(const std::string& id);

  // Adds the states that are kept of the job; those that cannot be used are counted as lost.
  std::shared_ptr<const JobBefore> BeginOf(const JobInfo& job, JobBefore before) const;

  // For the end of the daemon: the jobs that have not ended leave their states until then. The rest
  // of the states is lost.
  Scheduler::KeeperOf KeepersUntil(std::chrono::steady_clock::time_point until) const;

  void Tick();  // now and then: states of jobs that have ended go
  StateFiles& files() { return *parts_.files; }
  const StateFiles& files() const { return *parts_.files; }

 private:
  class Keeper;

  const Parts parts_;
  mutable Mutex mutex_;  // no other lock is taken with it
  std::map<std::string, JobBefore> left_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
