#pragma once

// JobResults: the results of one job in the order in which they came, with the account of the room
// that they take. A position counts results from the first that ever came.
//
// What clients have acknowledged is spare: it is dropped from the oldest on, when the job holds
// more than one may, or for others. Once the results give way all of them are spare.
//
// Results may lie elsewhere, as a store on disk has them: then there are their places alone, and
// the account is of that store.
//
// Pure; the store locks.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "daemon/store/job_store.h"
#include "daemon/store/result_account.h"
#include "scheduler/job/result_batch.h"

namespace wb {

// Results that lie elsewhere and came together.
struct StoredResults {
  uint64_t count = 0;
  uint64_t reserved = 0;  // of them, that had room reserved
  uint64_t bytes = 0;     // there
  uint64_t largest = 0;   // of them
};

class JobResults {
 public:
  // `dropped`: results at positions [from, before) have been dropped; may be empty.
  JobResults(ResultLedger* ledger, std::string tenant, uint64_t most_each, uint64_t most_part,
             std::function<void(uint64_t from, uint64_t before)> dropped = {}, uint64_t least = 1)
      : account_(ledger, std::move(tenant), most_each, most_part, least),
        dropped_(std::move(dropped)) {}

  // Room for instances that start (ResultAccount).
  uint64_t Room() const { return account_.Room(); }
  uint64_t Reserve(uint64_t instances) { return account_.Reserve(instances); }
  void Release(uint64_t instances) { account_.Release(instances); }
  uint64_t WholeRoom() const { return account_.WholeRoom(); }
  uint64_t Widen(uint64_t instances) { return account_.Widen(instances); }
  void Narrow(uint64_t instances) { account_.Narrow(instances); }

  void Append(ResultBatch results);
  void Append(const EndedRange& range);  // made when they are read
  void Append(const StoredResults& stored);
  // Of a job of an earlier store: what comes next has this position.
  void BeginAt(uint64_t position);
  // Those after `position`, which is between oldest() and next().
  ResultRow Read(uint64_t position, ReadBound bound) const;
  // Where stored ones after `position`, below next(), are.
  StoredPlace PlaceOf(uint64_t position) const;
  void Acknowledge(uint64_t position);  // at most next()

  // Others' results may take the place of these, until a client reads them again that has not
  // acknowledged them all.
  void GiveWay();
  void KeepForReader();
  bool gives_way() const { return gives_way_; }

  // Drops batches from the oldest on while `is_over`: those acknowledged; all. True: there was one.
  bool DropAcknowledged(const std::function<bool()>& is_over);
  bool DropAll();

  uint64_t oldest() const { return batches_.empty() ? next_ : batches_.front().first; }
  uint64_t next() const { return next_; }  // after the last one
  uint64_t acknowledged() const { return acknowledged_; }
  bool is_read() const { return acknowledged_ >= next_; }
  const ResultAccount& account() const { return account_; }

 private:
  struct Batch {
    uint64_t first = 0;  // position
    uint64_t count = 0;
    uint64_t bytes = 0;
    std::shared_ptr<const ResultBatch> results;  // or null, then:
    EndedRange range;                            // with a count, or stored elsewhere
    uint64_t end() const { return first + count; }
  };
  void Add(Batch batch);
  void DropOldest();
  static ResultSlice SliceOf(const Batch& batch, uint64_t position, ReadBound bound, size_t* used);

  ResultAccount account_;
  const std::function<void(uint64_t from, uint64_t before)> dropped_;
  std::deque<Batch> batches_;
  size_t spare_ = 0;  // of the batches, the oldest
  uint64_t next_ = 0;
  uint64_t acknowledged_ = 0;  // clients have the results before this position
  bool gives_way_ = false;
};

}  // namespace wb
