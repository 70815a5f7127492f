#pragma once

// DurableSink: the ResultSink of one job of a durable store: reserves room on the disk and in
// memory, and posts what comes. Threads: as ResultSink; what it is given outlives it.

#include <atomic>
#include <cstdint>
#include <string>

#include "daemon/store/durable/group_commit.h"
#include "daemon/store/durable/open_jobs.h"
#include "daemon/store/memory/book_sink.h"
#include "scheduler/job/job_progress.h"

namespace wb {

class DurableSink : public ResultSink {
 public:
  struct Parts {
    LockedJobBook* book = nullptr;
    OpenJobs* open = nullptr;
    GroupCommit* commits = nullptr;
    const std::atomic<bool>* suspended = nullptr;  // JobStore::Suspend
    int64_t ttl_ns = 0;                            // of ended jobs
  };
  DurableSink(const Parts& parts, std::string id);

  uint64_t Room() const override;
  uint64_t Reserve(uint64_t instances) override;
  void Release(uint64_t instances) override;
  uint64_t WholeRoom() const override;
  uint64_t Widen(uint64_t instances) override;
  void Narrow(uint64_t instances) override;
  void OnResults(ResultBatch results) override;
  void OnEnded(const EndedRange& range) override;
  void OnProgress(const JobProgress& progress) override;
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override;

 private:
  // Fills in what the book says of the job. True: it goes on in the next daemon.
  bool NoteEnd(bool cancelled, JobEvent* event) const;

  const Parts parts_;
  const std::string id_;
  BookSink disk_;  // its room there
};

}  // namespace wb
