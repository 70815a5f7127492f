#pragma once

// JobChanges: what has happened to jobs, as one transaction of the store and as what is shown once
// it is on the disk. Keeps the record of each job that has not ended, as of the last transaction.
// Pure.

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/database/durable_store.h"
#include "daemon/store/durable/job_record_text.h"
#include "daemon/store/memory/job_results.h"
#include "scheduler/job/result_batch.h"

namespace wb {

enum class JobEventKind : uint8_t {
  kCreated,    // `record`, `sent`
  kRestored,   // `record`: it goes on
  kResults,    // `results`
  kRange,      // `range`
  kCancelled,  // a client has cancelled it
  kEnded,      // `error`, `cancelled`, `leaving`, `usage`, `unix_ns`, `expire_unix_ns`
  kResumed,    // a checkpointed job goes on; `placement`
  kForgotten,
  kDropped,  // results at positions [`from`, `before`)
  kNothing,  // to wait for what came before
};

// One thing that happened to a job.
struct JobEvent {
  JobEventKind kind = JobEventKind::kNothing;
  std::string id;
  DurableRecord record;
  std::shared_ptr<const SentRequest> sent;
  std::shared_ptr<ResultBatch> results;  // not changed once they are shown
  JobTotals totals;                      // of `results` or `range`
  EndedRange range;
  Status error;
  bool cancelled = false;
  bool leaving = false;  // EndingOf
  std::optional<Placement> placement;
  JobUsage usage;
  int64_t unix_ns = 0;
  int64_t expire_unix_ns = 0;
  uint64_t from = 0;
  uint64_t before = 0;
  std::shared_ptr<std::promise<Status>> committed;  // if somebody waits
};

JobEvent EventOf(JobEventKind kind, std::string id);

// Results of one event as the store has them.
struct StoredEvent {
  std::vector<StoredResults> blocks;
  std::vector<uint64_t> firsts;  // positions of the blocks
  JobCounts counts;              // of the job then
};

class JobChanges {
 public:
  // What is known of a running job beside its results: device, usage.
  using InfoOf = std::function<Result<JobInfo>(const std::string& id)>;
  explicit JobChanges(InfoOf info_of) : info_of_(std::move(info_of)) {}

  struct Built {
    StoreChange change;
    std::vector<StoredEvent> stored;  // one for each event
  };
  // The events as a transaction that follows the last one accepted.
  Built Build(const std::vector<JobEvent>& events);
  void Accept();  // the transaction that was built last is on the disk

 private:
  using Records = std::map<std::string, DurableRecord>;
  DurableRecord* Working(const std::string& id);  // nullptr: it is not open
  void Apply(const JobEvent& event, Built* built, StoredEvent* stored);
  void ApplyResults(const JobEvent& event, StoreChange* change, StoredEvent* stored);
  void ApplyEnd(const JobEvent& event);
  static void Drop(const JobEvent& event, StoreChange* change);
  void Forget(const std::string& id, StoreChange* change);
  void WriteRecords(StoreChange* change);

  const InfoOf info_of_;
  Records records_;                     // of jobs that have not ended
  Records working_;                     // those that the transaction changes, as it leaves them
  std::vector<std::string> forgotten_;  // by it
};

}  // namespace wb
