#pragma once

// JobBook: which jobs there are, and how long each is kept. Bounded by number of jobs, by what
// their requests hold and by bytes of results (job_requests.h, result_ledger.h).
//
// Results stay until they are acknowledged (job_results.h), or until they must make room for others
// (result_room.h). A job whose own results are not acknowledged waits, and no other job waits for
// it.
//
// For a store on disk the results lie there, and their bytes are those on the disk
// (durable/durable_job_store.h).
//
// Pure: no lock (locked_job_book.h), and a clock that is given.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/store/job_store.h"
#include "daemon/store/memory/job_requests.h"
#include "daemon/store/memory/job_states.h"
#include "daemon/store/memory/job_table.h"
#include "daemon/store/memory/result_book.h"
#include "daemon/store/result_ledger.h"

namespace wb {

class StoreMetrics;

struct JobStoreLimits {
  uint64_t max_jobs = 10000;
  ResultLimits results;
  int64_t ttl_ns = 0;  // ended jobs
  // Of the jobs that have not ended (request_ledger.h). Of ended jobs an eighth of the first may be
  // kept to be shown; beyond it the oldest are forgotten.
  uint64_t max_request_bytes = uint64_t{1} << 30;
  uint64_t max_input_bytes = uint64_t{2} << 30;  // uploaded ones that jobs use
};

class JobBook {
 public:
  // `now`: nanoseconds of Unix time. `metrics`: none, if null.
  JobBook(const JobStoreLimits& limits, std::function<int64_t()> now,
          std::shared_ptr<StoreMetrics> metrics);
  // What a store on disk hears: a job is forgotten; results are dropped. Once, before the first
  // job.
  struct Observer {
    std::function<void(const std::string& id)> forgotten;
    ResultBook::Dropped dropped;
  };
  void Observe(Observer observer);

  JobStates& states() { return states_; }
  const JobStates& states() const { return states_; }
  ResultBook& results() { return results_; }
  const ResultBook& results() const { return results_; }

  // As JobStore's of these names.
  Result<JobStore::Created> Create(JobRequest request);
  void Discard(const std::string& id);
  Status Delete(const std::string& id);
  void Expire();
  Result<JobInfo> Get(const std::string& id) const;
  JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const;
  Result<std::string> KeptRequest(const std::string& id) const;
  JobStoreFigures Figures() const;

  Result<JobInfo> Known(const std::string& id) const;  // also of one that is not published yet
  // A job of an earlier store, published, with a new number; `before` are its results from the
  // position `oldest` on. QUEUE_FULL.
  Result<JobInfo> Restore(JobInfo info, uint64_t oldest, const std::vector<StoredResults>& before);
  // Its scheduler says so, at this time.
  void End(const std::string& id, Status status, bool cancelled, const JobUsage& usage,
           int64_t unix_ns);
  int64_t Now() const { return now_(); }
  // JobTable's.
  std::vector<std::shared_ptr<JobListeners>> TakeChanged() { return table_.TakeChanged(); }

 private:
  JobInfo InfoOf(const JobRecord& record) const;
  JobRecord& Insert(JobInfo info);  // with room for its results
  bool ForgetOneEnded();            // false: no job has ended
  void Forget(JobRecord* record);

  const JobStoreLimits limits_;
  const std::function<int64_t()> now_;
  ResultLedger ledger_;  // outlives the table's results
  JobRequests requests_;
  JobTable table_;
  JobStates states_;
  ResultBook results_;
  std::function<void(const std::string& id)> forgotten_;
};

}  // namespace wb
