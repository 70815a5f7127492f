#include "daemon/store/job_store.h"

#include <utility>

#include "daemon/store/names.h"

namespace wb {

bool IsTerminal(JobState state) {
  return state == JobState::kSucceeded || state == JobState::kFailed ||
         state == JobState::kCancelled;
}

std::string JobStateName(JobState state) {
  switch (state) {
    case JobState::kQueued: return "queued";
    case JobState::kCompiling: return "compiling";
    case JobState::kRunning: return "running";
    case JobState::kCancelling: return "cancelling";
    case JobState::kSucceeded: return "succeeded";
    case JobState::kFailed: return "failed";
    case JobState::kCancelled: return "cancelled";
    case JobState::kCheckpointed: return "checkpointed";
  }
  return "queued";
}

JobEnding EndingOf(Status status, bool cancelled, bool leaving, const JobCounts& counts) {
  const uint64_t lost = counts.by_end[static_cast<size_t>(End::kFailed)];
  if (status.ok() && !cancelled && lost > 0) {
    status = Status(Reason::kDeviceLost,
                    "For [" + std::to_string(lost) + "] instances no engine could give a result.");
  }
  const JobState stopped = leaving ? JobState::kCheckpointed : JobState::kCancelled;
  const JobState good = cancelled ? stopped : JobState::kSucceeded;
  const JobState state = status.ok() ? good : JobState::kFailed;
  return {state, std::move(status)};
}

Status RequestIsGone(const std::string& id) {
  return Status(
      Reason::kJobTerminal,
      "The job [" + id + "] has ended, and what its instances were given was too long to be kept.");
}

Status NoSuchJob(const std::string& id) {
  return Status(Reason::kNotFound, "There is no job [" + JobName(id) + "].",
                {{"resource_type", "job"}, {"resource", JobName(id)}});
}

Status RequestIdReused(const std::string& request_id, const std::string& job) {
  return Status(Reason::kRequestIdReused,
                "The request id [" + request_id +
                    "] came before with another request; that one made the job [" + JobName(job) +
                    "].",
                {{"field", "request_id"}, {"job", JobName(job)}});
}

}  // namespace wb
