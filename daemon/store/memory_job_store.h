#pragma once

// JobStore in memory. Bounded by number of jobs and bytes of results (result_ledger.h); what it
// holds is lost with the process. For a store on disk it keeps the books: then results lie there,
// and the bytes are those on the disk (durable/durable_job_store.h).
//
// Results stay until they are acknowledged (job_results.h), or until they must make room for others
// (result_room.h). A job whose own results are not acknowledged waits, and no other job waits for
// it.
//
// One lock over all; listeners are called once it is released.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "compiler/base/mutex.h"
#include "daemon/store/job_requests.h"
#include "daemon/store/job_store.h"
#include "daemon/store/job_table.h"
#include "daemon/store/result_ledger.h"
#include "daemon/store/result_room.h"

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

class MemoryJobStore : public JobStore {
 public:
  // `now`: nanoseconds of Unix time; given so that tests own the clock. `metrics`: none, if null.
  MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now,
                 std::shared_ptr<StoreMetrics> metrics = nullptr);

  Result<Created> Create(JobRequest request) override;
  JobInfo Publish(const std::string& id) override;
  void Discard(const std::string& id) override;
  Result<JobInfo> Get(const std::string& id) const override;
  Result<JobInfo> Known(const std::string& id) const;  // also of one that is not published yet
  JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const override;
  Result<JobInfo> MarkCancelling(const std::string& id) override;
  Result<JobInfo> MarkLeaving(const std::string& id) override;
  void StayOn(const std::string& id) override;
  Result<JobInfo> MarkResumed(const std::string& id, std::optional<Placement> placement) override;
  Status Delete(const std::string& id) override;
  Result<std::string> KeptRequest(const std::string& id) const override;
  uint64_t Room(const std::string& id) const override;
  uint64_t Reserve(const std::string& id, uint64_t instances) override;
  void Release(const std::string& id, uint64_t instances) override;
  uint64_t WholeRoom(const std::string& id) const override;
  uint64_t Widen(const std::string& id, uint64_t instances) override;
  void Narrow(const std::string& id, uint64_t instances) override;
  void AppendResults(const std::string& id, ResultBatch results) override;
  void AppendEnded(const std::string& id, const EndedRange& range) override;
  void SetProgress(const std::string& id, const JobProgress& progress) override;
  void SetEnd(const std::string& id, Status status, bool cancelled, const JobUsage& usage) override;
  Result<ResultRow> Read(const std::string& id, uint64_t position, ReadBound bound) const override;
  Result<bool> Acknowledge(const std::string& id, uint64_t position) override;
  Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                          std::function<void()> changed) override;
  void Expire() override;
  JobStoreFigures Figures() const override;

  // --- for a store on disk
  // Called with the lock held: a job is forgotten; results at positions [from, before) are dropped.
  struct Observer {
    std::function<void(const std::string& id)> forgotten;
    std::function<void(const std::string& id, uint64_t from, uint64_t before)> dropped;
  };
  void Observe(Observer observer);  // once, before the first job
  // A job of an earlier store, published, with a new number; `before` are its results from the
  // position `oldest` on. QUEUE_FULL.
  Result<JobInfo> Restore(JobInfo info, uint64_t oldest, const std::vector<StoredResults>& before);
  bool IsLeaving(const std::string& id) const;
  // The job then has these counts.
  void AppendStored(const std::string& id, const std::vector<StoredResults>& stored,
                    const JobCounts& counts);
  void SetEndAt(const std::string& id, Status status, bool cancelled, const JobUsage& usage,
                int64_t unix_ns);
  struct Found {
    StoredPlace place;
    uint64_t next = 0;  // position after the last result
    bool has_ended = false;
  };
  // Errors as Read's. Without a place where the position is `next`.
  Result<Found> Find(const std::string& id, uint64_t position) const;

 private:
  class Change;

  JobInfo InfoOf(const JobRecord& record) const WB_REQUIRES(mutex_);
  JobRecord& Insert(JobInfo info) WB_REQUIRES(mutex_);  // with room for its results
  void AddEnds(JobRecord* record, size_t end, uint64_t count) WB_REQUIRES(mutex_);
  void NoteState(JobRecord* record, JobState state, int64_t unix_ns) WB_REQUIRES(mutex_);
  void NoteStopped(JobRecord* record, JobEnding ending, const JobUsage& usage, int64_t unix_ns)
      WB_REQUIRES(mutex_);
  void NoteArrival(JobRecord* record, uint64_t results) WB_REQUIRES(mutex_);
  bool ForgetOneEnded() WB_REQUIRES(mutex_);  // false: no job has ended
  void Forget(JobRecord* record) WB_REQUIRES(mutex_);

  const JobStoreLimits limits_;
  const std::function<int64_t()> now_;
  const std::shared_ptr<StoreMetrics> metrics_;
  Observer observer_;
  mutable Mutex mutex_;
  ResultLedger ledger_ WB_GUARDED_BY(mutex_);  // outlives the jobs' results
  JobRequests requests_ WB_GUARDED_BY(mutex_);
  JobTable table_ WB_GUARDED_BY(mutex_);
  ResultRoom room_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
