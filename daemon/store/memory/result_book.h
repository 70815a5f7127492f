#pragma once

// ResultBook: results of the jobs of a table: how they come, how clients read and acknowledge them.
// Pure; its owner locks.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "daemon/store/memory/job_table.h"
#include "daemon/store/memory/result_room.h"
#include "daemon/store/result_ledger.h"

namespace wb {

class StoreMetrics;

class ResultBook {
 public:
  // Both outlive this, and the ledger the table's records. `metrics`: none, if null.
  ResultBook(ResultLedger* ledger, JobTable* table, std::shared_ptr<StoreMetrics> metrics);
  // Hears of results at positions [from, before) that are dropped. Before the first job.
  using Dropped = std::function<void(const std::string& id, uint64_t from, uint64_t before)>;
  void SetDropped(Dropped dropped) { dropped_ = std::move(dropped); }

  void Open(JobRecord* record);                       // a new job: it has none
  const JobResults* Of(const std::string& id) const;  // nullptr: there is no such job
  JobResults* OfOpen(const std::string& id);          // that has not ended; nullptr

  // --- as they come; of a job that has ended they have no effect
  void Append(const std::string& id, ResultBatch results);
  void Append(const std::string& id, const EndedRange& range);
  // Those that lie elsewhere. The job then has these counts.
  void Append(const std::string& id, const std::vector<StoredResults>& stored,
              const JobCounts& counts);
  // No instance of the job is to bring one any more. `has_ended`: nor will one be started.
  void Close(JobRecord* record, bool has_ended);

  // --- for readers
  Result<ResultRow> Read(const std::string& id, uint64_t position, ReadBound bound) const;
  struct Found {
    StoredPlace place;
    uint64_t next = 0;  // position after the last result
    bool has_ended = false;
  };
  // Errors as Read's. Without a place where the position is `next`.
  Result<Found> Find(const std::string& id, uint64_t position) const;
  Result<bool> Acknowledge(const std::string& id, uint64_t position);
  Result<std::shared_ptr<void>> Subscribe(const std::string& id, std::function<void()> changed);
  // Fills in why results keep the job from starting instances, if they do.
  void NoteHeld(const JobRecord& record, JobInfo* info) const;

 private:
  void AddEnds(JobRecord* record, size_t end, uint64_t count);
  void NoteArrival(JobRecord* record, uint64_t results);

  ResultLedger& ledger_;
  JobTable& table_;
  const std::shared_ptr<StoreMetrics> metrics_;
  ResultRoom room_;
  Dropped dropped_;
};

}  // namespace wb
