#pragma once

// OpenJobs: what a durable store keeps beside the book of each job that has not ended: the room in
// memory for its results on their way to the disk, and what earlier daemons used for it. What
// running instances were promised bounds those results, as it does in a store in memory.
//
// Threads: every method from any thread; no other lock is taken with this one's. Ids that are
// unknown have no room.

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "daemon/store/job_store.h"
#include "daemon/store/result_account.h"
#include "daemon/store/result_ledger.h"

namespace wb {

class OpenJobs {
 public:
  explicit OpenJobs(uint64_t max_bytes);  // of all jobs' results; a job has a quarter of it at most

  void Add(const JobInfo& job, const JobUsage& before);  // `before`: of earlier daemons
  void Erase(const std::string& id);

  // As ResultSink's.
  uint64_t Room(const std::string& id) const;
  uint64_t Reserve(const std::string& id, uint64_t instances);
  void Release(const std::string& id, uint64_t instances);
  uint64_t WholeRoom(const std::string& id) const;
  uint64_t Widen(const std::string& id, uint64_t instances);
  void Narrow(const std::string& id, uint64_t instances);

  // These are on the disk. The job that may have room again, or 0.
  JobId Free(const std::string& id, const ResultBatch& results);
  // The scheduler's figures are of this daemon; the whole is with those of earlier ones.
  JobUsage WholeUsage(const std::string& id, JobUsage usage) const;

 private:
  struct Job {
    JobId number = 0;
    std::unique_ptr<ResultAccount> memory;
    JobUsage before;
  };
  ResultAccount* MemoryOf(const std::string& id) const WB_REQUIRES(mutex_);  // nullptr: unknown

  mutable Mutex mutex_;
  ResultLedger ledger_ WB_GUARDED_BY(mutex_);  // outlives the accounts
  std::map<std::string, Job> jobs_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
