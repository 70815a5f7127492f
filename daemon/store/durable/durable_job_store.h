#pragma once

// DurableJobStore: a JobStore whose jobs and results outlive the daemon.
//
// A JobBook in memory keeps states, listeners, and how many bytes results hold on the disk.
// What must last goes through GroupCommit into a DurableStore, and is shown once it is there: so a
// result that a client has seen is never given again, and a job that was accepted is never lost.
// Results on their way to the disk are bounded like those in memory were: by what running instances
// have been promised.
//
// Threads: as JobStore. Create, MarkCancelling, MarkResumed and Delete wait
// for the disk.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/database/durable_store.h"
#include "daemon/store/durable/group_commit.h"
#include "daemon/store/durable/job_changes.h"
#include "daemon/store/durable/open_jobs.h"
#include "daemon/store/durable/result_cache.h"
#include "daemon/store/memory/booked_job_store.h"
#include "scheduler/job/instance_set.h"

namespace wb {

// A job of an earlier daemon.
struct LoadedJob {
  DurableRecord record;  // its `info` without request and number
  SentRequest sent;      // `whole` of a job that has not ended
  uint64_t oldest = 0;   // position of the first result that can be read
  std::vector<StoredResults> results;
  InstanceSet finished;
};

class DurableJobStore : public BookedJobStore {
 public:
  struct Limits {
    JobStoreLimits jobs;  // bytes of results: on the disk
    // Of results on their way to the disk; those that are kept for readers have a quarter as much.
    uint64_t max_memory_bytes = 0;
  };
  DurableJobStore(std::unique_ptr<DurableStore> store, const Limits& limits,
                  std::function<int64_t()> now, std::shared_ptr<StoreMetrics> metrics = nullptr,
                  std::shared_ptr<DiskAlarm> alarm = nullptr);

  // --- at the start, before all else
  // By id. A job whose record is damaged is left out, and the log says so. IO_ERROR.
  Status Load(const std::function<void(LoadedJob)>& visit);
  // The job goes on, or stays ended. `request` as Create's.
  Result<JobInfo> Restore(const LoadedJob& job, JobRequest request);

  void Listen(StoreListener listener) override;
  void Suspend() override;
  Result<Created> Create(JobRequest request) override;
  Result<JobInfo> MarkCancelling(const std::string& id) override;
  Result<JobInfo> MarkResumed(const std::string& id, std::optional<Placement> placement) override;
  Status Delete(const std::string& id) override;
  Result<std::string> KeptRequest(const std::string& id) const override;
  std::shared_ptr<ResultSink> SinkOf(const std::string& id) override;
  Result<ResultRow> Read(const std::string& id, uint64_t position, ReadBound bound) const override;
  void Expire() override;
  bool is_failing() const { return is_failing_; }  // the last commit failed

 private:
  void Commit(std::vector<JobEvent>* events);
  Status CommitTimed(const StoreChange& change);
  void Refuse(const Status& why, std::vector<JobEvent>* events);
  void Show(const JobEvent& event, const StoredEvent& stored);
  void ShowResults(const JobEvent& event, const StoredEvent& stored);
  Result<ResultBook::Found> Find(const std::string& id, uint64_t position) const;
  Result<ResultCache::Part> PartAt(const std::string& id, const StoredPlace& place) const;

  const std::unique_ptr<DurableStore> store_;
  const int64_t ttl_ns_;  // of ended jobs
  const std::shared_ptr<StoreMetrics> metrics_;
  const std::shared_ptr<DiskAlarm> alarm_;  // hears of each commit, and is asked before new jobs
  Mutex listener_mutex_;                    // held while it is called
  StoreListener listener_ WB_GUARDED_BY(listener_mutex_);
  std::atomic<bool> suspended_{false};
  ResultCache cache_;
  JobChanges changes_;                   // of the thread that commits
  std::atomic<bool> is_failing_{false};  // the last commit failed
  OpenJobs open_;
  GroupCommit commits_;  // last: its thread uses all above
};

}  // namespace wb
