#pragma once

// JobStates: moves the jobs of a table from state to state, and counts it. Which state allows which
// move is a table. Pure; its owner locks.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "compiler/base/status.h"
#include "daemon/store/memory/job_table.h"

namespace wb {

class StoreMetrics;

// What is done to a job.
enum class JobMove : uint8_t {
  kCancel,  // by a client
  kLeave,   // it is to be checkpointed
  kResume,
  kFollow,  // its state is that of its scheduler's progress
  kDelete,
};
inline constexpr size_t kJobMoves = static_cast<size_t>(JobMove::kDelete) + 1;
bool MayMove(JobState state, JobMove move);

class JobStates {
 public:
  // The table outlives this. `now`: nanoseconds of Unix time. `metrics`: none, if null.
  JobStates(JobTable* table, std::function<int64_t()> now, std::shared_ptr<StoreMetrics> metrics);

  JobInfo Publish(const std::string& id);  // of a job that is there
  // As JobStore's MarkCancelling, MarkLeaving, StayOn and MarkResumed.
  Result<JobInfo> Cancel(const std::string& id);
  Status Leave(const std::string& id);
  void StayOn(const std::string& id);
  bool IsLeaving(const std::string& id) const;
  Result<JobInfo> Resume(const std::string& id, std::optional<Placement> placement);
  Result<JobRecord*> Deletable(const std::string& id);  // JOB_RUNNING, NOT_FOUND

  void SetProgress(const std::string& id, const JobProgress& progress);
  // No scheduler has the job any more.
  void Stop(JobRecord* record, JobEnding ending, const JobUsage& usage, int64_t unix_ns);

 private:
  void Enter(JobRecord* record, JobState state, int64_t unix_ns);

  JobTable& table_;
  const std::function<int64_t()> now_;
  const std::shared_ptr<StoreMetrics> metrics_;
};

}  // namespace wb
