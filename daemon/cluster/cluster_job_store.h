#pragma once

// ClusterJobStore: a JobStore whose jobs several daemons run, over a SharedStore. Any of the
// daemons accepts, shows, streams and cancels every one of them.
//
// Jobs that belong to a connection of this daemon stay here, in memory: calls of sessions, whose
// instances this daemon has, and jobs whose caller answers calls of theirs. Other daemons do not
// show them, and they end with this one.
//
// The scheduler's side of a shared job is ChunkWork's: its sink here does nothing.
//
// Threads: as JobStore. Get and List answer from what was heard last (SharedJobs); Create, Cancel,
// Delete, and Read of results wait for the database.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/shared_jobs.h"
#include "daemon/cluster/shared_record.h"
#include "daemon/cluster/shared_results.h"
#include "daemon/database/shared_store.h"
#include "daemon/store/job_ids.h"
#include "daemon/store/memory/memory_job_store.h"

namespace wb {

class ClusterJobStore : public JobStore {
 public:
  ClusterJobStore(std::shared_ptr<SharedStore> store, const JobStoreLimits& limits,
                  SharedJobs::ReadShown read_shown, std::function<int64_t()> now,
                  std::shared_ptr<StoreMetrics> metrics = nullptr);

  // Whether a new job is taken; once, before the first.
  using Admit = std::function<Status(const JobRequest& request)>;
  void SetAdmit(Admit admit) { admit_ = std::move(admit); }

  // --- of the threads that hear news
  // What the store has of these jobs is shown from now on. MACHINE_FAULT.
  Status Refresh(const std::vector<std::string>& ids);
  // The same of all whose version is another, and forgets those that are gone.
  Status RefreshAll();
  SharedJobs& jobs() { return jobs_; }
  const SharedResults& results() const { return results_; }
  void SetHosts(uint32_t hosts) { hosts_ = hosts; }  // that are heard
  ChangeTime Time() const { return {now_(), std::chrono::nanoseconds(limits_.ttl_ns)}; }

  Result<Created> Create(JobRequest request) override;
  JobInfo Publish(const std::string& id) override { return local_.Publish(id); }
  void Discard(const std::string& id) override { local_.Discard(id); }
  Result<JobInfo> Get(const std::string& id) const override;
  JobPage List(const JobFilter& filter, const std::string& after, size_t limit) const override;
  Result<JobInfo> MarkCancelling(const std::string& id) override;
  Result<JobInfo> MarkLeaving(const std::string& id) override;
  void StayOn(const std::string& id) override { local_.StayOn(id); }
  Result<JobInfo> MarkResumed(const std::string& id, std::optional<Placement> placement) override;
  Status Delete(const std::string& id) override;
  Result<std::string> KeptRequest(const std::string& id) const override;
  std::shared_ptr<ResultSink> SinkOf(const std::string& id) override { return local_.SinkOf(id); }
  Result<ResultRow> Read(const std::string& id, uint64_t position, ReadBound bound) const override;
  Result<bool> Acknowledge(const std::string& id, uint64_t position) override;
  Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                          std::function<void()> changed) override;
  void Expire() override;
  JobStoreFigures Figures() const override;

 private:
  bool IsLocal(const std::string& id) const { return local_.Has(id); }
  Result<Created> CreateShared(JobRequest request);
  Result<Created> Repeated(const std::string& id, const JobRequest& request);
  Status MakePlace();  // for one more job
  // Of the store, where it is not known here. NOT_FOUND.
  Status Look(const std::string& id) const;
  // The same where others may have brought results behind this position that were not heard of.
  Status LookBehind(const std::string& id, uint64_t position, bool anew) const;

  const std::shared_ptr<SharedStore> store_;
  const JobStoreLimits limits_;
  const std::function<int64_t()> now_;
  const std::shared_ptr<StoreMetrics> metrics_;
  Admit admit_;
  std::atomic<uint32_t> hosts_{1};
  mutable SharedJobs jobs_;
  const SharedResults results_;
  MemoryJobStore local_;
  Mutex mutex_;
  JobIds ids_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb
