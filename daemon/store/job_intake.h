#pragma once

// JobIntake: the life of a job between its caller and the scheduler. Accepts, cancels, forwards
// results to the store, and says when there is room again. Threads: every method from any thread.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/store/job_store.h"
#include "scheduler/scheduler.h"

namespace wb {

struct Submission {
  JobRequest request;
  std::vector<Column> columns;
  std::shared_ptr<const Module> module;
  // The request as its caller sent it, for whoever runs an instance of the job again.
  std::shared_ptr<const SentRequest> sent;
  std::shared_ptr<ResidentInstances> residents = nullptr;  // JobSpec::residents
};

// What the scheduler is given of it. Takes the columns.
JobSpec SpecOf(Submission* submission);

class JobIntake {
 public:
  // The scheduler outlives the intake and every job's sink.
  JobIntake(std::shared_ptr<JobStore> store, Scheduler* scheduler);
  ~JobIntake();
  // What a job's sink is wrapped in from now on, before the job is submitted: by all that were
  // added, the last one outermost. Before the first job. `sent`: as the Submission's.
  using WrapSink = std::function<std::shared_ptr<ResultSink>(
      const JobInfo& job, const std::shared_ptr<const SentRequest>& sent,
      std::shared_ptr<ResultSink> sink)>;
  void AddWrapSink(WrapSink wrap) { wraps_.push_back(std::move(wrap)); }
  // Hears of each job that was accepted, or that goes on. Before the first job.
  using OnAccepted = std::function<void(const JobInfo& job)>;
  void SetOnAccepted(OnAccepted hear) { on_accepted_ = std::move(hear); }
  JobIntake(const JobIntake&) = delete;
  JobIntake& operator=(const JobIntake&) = delete;

  // Checks the program against the module; errors as EncodeProgram's, JobStore::Create's and
  // Scheduler::Submit's, and DRAINING. A repeated request gives the first job.
  Result<JobInfo> Create(Submission submission);
  // The same checks; runs and stores nothing. The answer has no id.
  Result<JobInfo> Validate(const Submission& submission) const;
  Result<JobInfo> Cancel(const std::string& id);  // JOB_TERMINAL, NOT_FOUND

  // A job of an earlier daemon. Bound fills in what its results may hold, before the store restores
  // it; Resume submits what the store has restored. A job that the scheduler refuses now has
  // failed.
  static Status Bound(Submission* submission);
  void Resume(const JobInfo& restored, Submission submission,
              std::shared_ptr<const JobBefore> before);

  // A checkpointed job goes on with `before`, and this placement where there is one. Errors as
  // MarkResumed's and Scheduler::Submit's, and DRAINING; then it stays checkpointed.
  Result<JobInfo> GoOn(const std::string& id, std::optional<Placement> placement,
                       Submission submission, std::shared_ptr<const JobBefore> before);

  // A client has the results before `position`. As JobStore::Acknowledge.
  Status Acknowledge(const std::string& id, uint64_t position);
  void Tick();  // now and then: expiry, and room that came from other jobs
  void StopAdmitting();
  bool draining() const { return draining_; }
  JobStore& store() { return *store_; }

 private:
  std::shared_ptr<ResultSink> SinkOf(const JobInfo& job,
                                     const std::shared_ptr<const SentRequest>& sent) const;

  const std::shared_ptr<JobStore> store_;
  Scheduler* const scheduler_;
  std::vector<WrapSink> wraps_;
  OnAccepted on_accepted_;
  std::atomic<bool> draining_{false};
};

}  // namespace wb
