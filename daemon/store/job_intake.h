#pragma once

// JobIntake: the life of a job between its caller and the scheduler. Accepts, cancels, forwards
// results to the store, and says when there is room again. Threads: every method from any thread.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "daemon/store/job_store.h"
#include "scheduler/scheduler.h"

namespace wb {

struct Submission {
  JobRequest request;
  std::vector<Column> columns;
  std::shared_ptr<const Module> module;
};

class JobIntake {
 public:
  // Both outlive the intake and every job's sink.
  JobIntake(std::shared_ptr<JobStore> store, Scheduler* scheduler);

  // Checks the program against the module; errors as EncodeProgram's, JobStore::Create's and
  // Scheduler::Submit's, and DRAINING. A repeated request gives the first job.
  Result<JobInfo> Create(Submission submission);
  // The same checks; runs and stores nothing. The answer has no id.
  Result<JobInfo> Validate(const Submission& submission) const;
  Result<JobInfo> Cancel(const std::string& id);  // JOB_TERMINAL, NOT_FOUND

  // A client has the results before `position`. As JobStore::Acknowledge.
  Status Acknowledge(const std::string& id, uint64_t position);
  void Tick();  // now and then: expiry, and room that came from other jobs
  void StopAdmitting() { draining_ = true; }
  bool draining() const { return draining_; }
  JobStore& store() { return *store_; }

 private:
  const std::shared_ptr<JobStore> store_;
  Scheduler* const scheduler_;
  std::atomic<bool> draining_{false};
};

}  // namespace wb
