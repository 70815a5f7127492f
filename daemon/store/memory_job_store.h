#pragma once

// JobStore in memory. Bounded by number of jobs and bytes of results (result_ledger.h); what it
// holds is lost with the process.
//
// Results stay until they are acknowledged (job_results.h). What makes room, in this order:
// acknowledged results; results of ended jobs that no client reads at the moment. In each the
// tenant that has most spare results gives first, its oldest job first. A job whose own results are
// not acknowledged waits, and no other job waits for it.

#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <unordered_map>

#include "daemon/store/job_results.h"
#include "daemon/store/job_store.h"
#include "daemon/store/request_ledger.h"
#include "daemon/store/result_ledger.h"

namespace wb {

struct JobStoreLimits {
  uint64_t max_jobs = 10000;
  ResultLimits results;
  int64_t ttl_ns = 0;  // ended jobs
  // Of the jobs that have not ended (request_ledger.h). Of ended jobs an eighth of the first may be
  // kept to be shown; beyond it the oldest are forgotten.
  uint64_t max_request_bytes = uint64_t{1} << 30;
  uint64_t max_input_bytes = uint64_t{2} << 30;  // uploaded ones that jobs use
};

// What the refusals of its two bounds of requests say.
LedgerWords RequestWords();
LedgerWords InputWords();

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
  uint64_t Reserve(const std::string& id, uint64_t instances) override;
  void Release(const std::string& id, uint64_t instances) override;
  void AppendResults(const std::string& id, ResultBatch results) override;
  void AppendEnded(const std::string& id, const EndedRange& range) override;
  void SetProgress(const std::string& id, const JobProgress& progress) override;
  void SetEnd(const std::string& id, Status status, bool cancelled, const JobUsage& usage) override;
  Result<ResultRow> Read(const std::string& id, uint64_t position, size_t max_bytes) const override;
  Result<bool> Acknowledge(const std::string& id, uint64_t position) override;
  Result<std::shared_ptr<void>> Subscribe(const std::string& id,
                                          std::function<void()> changed) override;
  void Expire() override;
  uint64_t job_count() const override;
  uint64_t result_bytes() const override;
  uint64_t request_bytes() const override;

 private:
  // Has its own lock, since a handle may outlive the store.
  struct Listeners {
    std::mutex mutex;
    std::list<std::function<void()>> calls;
  };
  struct Record {
    JobInfo info;
    bool published = false;
    std::unique_ptr<JobResults> results;
    uint64_t kept_request_bytes = 0;  // of an ended job
    std::shared_ptr<Listeners> listeners = std::make_shared<Listeners>();
  };

  Record* Find(const std::string& id);
  const Record* Find(const std::string& id) const;
  void SetState(Record* record, JobState state);
  static void Changed(Record* record);
  Record* FindOpen(const std::string& id);  // that has not ended
  void NoteArrival(Record* record, uint64_t results);
  void NoteHeldByResults(const Record& record, JobInfo* info) const;
  std::string HoldMost(const std::string* tenant) const;
  JobInfo InfoOf(const Record& record) const;
  void DropSpare(const std::string& tenant, const std::function<bool()>& is_over);
  static void LetGiveWay(Record* record);
  static bool HasListeners(const Record& record);
  void MakeRoom(const std::string& tenant);
  bool ForgetOneEnded();
  Result<std::optional<JobInfo>> FindRepeated(const JobRequest& request) const;
  Status HoldRequest(const JobRequest& request);
  void DropRequest(const JobRequest& request);
  void KeepShownOfRequest(Record* record);
  void ForgetBeyondBound();
  static Status CheckPosition(const std::string& id, const Record& record, uint64_t position);
  static Status NoSuchJob(const std::string& id);
  void Erase(std::map<std::string, Record>::iterator at);
  std::string NewId();

  const JobStoreLimits limits_;
  const std::function<int64_t()> now_;
  mutable std::mutex mutex_;
  ResultLedger ledger_;  // outlives the jobs' results
  RequestLedger requests_;
  RequestLedger inputs_;
  uint64_t kept_request_bytes_ = 0;     // of ended jobs
  std::map<std::string, Record> jobs_;  // by id, hence by time
  std::unordered_map<std::string, std::string> by_request_id_;
  JobId next_number_ = 1;
  uint64_t last_ms_ = 0;
  std::mt19937_64 random_;
};

}  // namespace wb
