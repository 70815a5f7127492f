#pragma once

// What becomes of a job that several daemons run, by what each of them tells of it. Each function
// is the decision of one transaction (DecideChange): it sees the job as it is there, and
// nobody else changes it meanwhile. Pure.
//
//   queued -> running             an instance has a turn somewhere
//   queued, running -> cancelling a client cancels, or a host found that the job fails
//   any of them -> ended          nobody runs an instance of it, and nobody will
//
// A job that is cancelled or fails takes no more claims; hosts bring the results that they have and
// give their chunks back. The last of them ends it.

#include <chrono>
#include <string>

#include "daemon/database/shared_store.h"
#include "daemon/store/durable/job_record_text.h"
#include "daemon/store/job_store.h"

namespace wb {

// When a change happens, and for how long the job is kept if it ends by it.
struct ChangeTime {
  int64_t unix_ns = 0;
  std::chrono::nanoseconds ttl{};
};

// What one host adds: results, and its part of the usage since it told last.
struct HostPart {
  JobTotals totals;
  JobUsage usage;  // fuel_running aside
  std::string device;
  std::string placement_reason;
};

// Usage of two hosts, or of one at two times.
void AddUsage(const JobUsage& more, JobUsage* usage);

Result<SharedChange> AfterPart(const SharedJob& job, const HostPart& part, const ChangeTime& when);
// An instance has had a turn.
Result<SharedChange> AfterTurn(const SharedJob& job, const HostPart& part, const ChangeTime& when);
Result<SharedChange> AfterCancel(const SharedJob& job, const ChangeTime& when);  // JOB_TERMINAL
// A host found that it cannot run; the first reason counts.
Result<SharedChange> AfterFailure(const SharedJob& job, const HostPart& part, const Status& why,
                                  const ChangeTime& when);
// Chunks came back: it may have ended.
Result<SharedChange> AfterReturn(const SharedJob& job, const ChangeTime& when);

// The job as the services show it, of its record. `request`: of its `shown`.
JobInfo InfoOf(const SharedJob& job, DurableRecord record,
               std::shared_ptr<const JobRequest> request);

}  // namespace wb
