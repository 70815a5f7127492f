#pragma once

// JobStore in memory. Bounded by number of jobs and bytes of results (result_ledger.h); what it
// holds is lost with the process.
//
// Results stay until they are acknowledged. What makes room, in this order: acknowledged results of
// the job that needs room; results of ended jobs that were acknowledged to the end; results of
// other ended jobs that no client reads at the moment. Within the last two the tenant whose ended
// jobs hold most gives first, its oldest job first. A job whose own results are not acknowledged
// waits, and no other job waits for it.

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <unordered_map>

#include "daemon/job_store.h"
#include "daemon/result_ledger.h"

namespace wb {

struct JobStoreLimits {
  uint64_t max_jobs = 10000;
  ResultLimits results;
  int64_t ttl_ns = 0;  // ended jobs
};

class MemoryJobStore : public JobStore {
 public:
  // `now`: nanoseconds of Unix time; given so that tests own the clock.
  MemoryJobStore(const JobStoreLimits& limits, std::function<int64_t()> now);
  ~MemoryJobStore() override;

  Result<Created> Create(JobRequest request) override;
  JobInfo Publish(const std::string& id) override;
  void Discard(const std::string& id) override;
  Result<JobInfo> Get(const std::string& id) const override;
  JobPage List(uint32_t states, const std::string& after, size_t limit) const override;
  Result<JobInfo> MarkCancelling(const std::string& id) override;
  Status Delete(const std::string& id) override;
  uint64_t Room(const std::string& id) const override;
  void AppendResults(const std::string& id, ResultBatch results) override;
  void SetProgress(const std::string& id, const JobProgress& progress) override;
  void SetEnd(const std::string& id, Status status, bool cancelled, const JobUsage& usage) override;
  Result<ResultRow> Read(const std::string& id, uint64_t position, size_t max_bytes) const override;
  Result<bool> Acknowledge(const std::string& id, uint64_t position) override;
  Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                          std::function<void()> changed) override;
  void Expire() override;
  uint64_t job_count() const override;
  uint64_t result_bytes() const override;

 private:
  struct Batch {
    uint64_t first = 0;  // position of the first result
    uint64_t bytes = 0;
    std::shared_ptr<const std::vector<InstanceResult>> results;
  };
  // Has its own lock, since a handle may outlive the store.
  struct Listeners {
    std::mutex mutex;
    std::list<std::function<void()>> calls;
  };
  struct Record {
    JobInfo info;
    bool published = false;
    std::deque<Batch> batches;
    uint64_t next = 0;          // position after the last result
    uint64_t bytes = 0;         // of the batches held
    uint64_t all_bytes = 0;     // of all results that ever came, for the average
    uint64_t acknowledged = 0;  // clients have the results before this position
    bool gives_way = false;     // it has ended, and others' results may take the place of its own
    std::shared_ptr<Listeners> listeners = std::make_shared<Listeners>();
  };

  Record* Find(const std::string& id);
  const Record* Find(const std::string& id) const;
  void SetState(Record* record, JobState state);
  static void Changed(Record* record);
  uint64_t RoomOf(const Record& record) const;
  uint64_t FreeOf(const Record& record) const;
  std::string HeldByResults(const Record& record) const;
  JobInfo InfoOf(const Record& record) const;
  void DropAcknowledged(Record* record);
  void DropEnded(const std::string& tenant, const std::function<bool()>& is_over);
  void LetGiveWay(Record* record);
  void KeepForReader(Record* record);
  static bool HasListeners(const Record& record);
  void MakeRoom(const std::string& tenant);
  bool ForgetOneEnded();
  static Status CheckPosition(const std::string& id, const Record& record, uint64_t position);
  static Status NoSuchJob(const std::string& id);
  void Erase(std::map<std::string, Record>::iterator at);
  std::string NewId();

  const JobStoreLimits limits_;
  const std::function<int64_t()> now_;
  mutable std::mutex mutex_;
  std::map<std::string, Record> jobs_;  // by id, hence by time
  std::unordered_map<std::string, std::string> by_request_id_;
  ResultLedger ledger_;
  JobId next_number_ = 1;
  uint64_t last_ms_ = 0;
  std::mt19937_64 random_;
};

}  // namespace wb
