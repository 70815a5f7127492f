#pragma once

// ChunkRun: a chunk that this daemon's scheduler runs as a job of its own. Gathers its results
// until they are committed.
//
// What waits for the database is bounded by what running instances have been promised, as results
// are elsewhere (ResultAccount): while the database does not answer, results wait in memory, and
// when that is full no more instances start.
//
// Threads: any; has a lock of its own, and takes that of the room with it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/wake_signal.h"
#include "daemon/database/shared_store.h"
#include "daemon/store/job_store.h"
#include "daemon/store/result_account.h"
#include "scheduler/job/job_progress.h"

namespace wb {

// Room in memory for results of all chunks on their way to the database.
class ChunkRoom {
 public:
  explicit ChunkRoom(uint64_t max_bytes);
  // What a job's instances take of it.
  std::unique_ptr<ResultAccount> Open(const JobRequest& request);
  void Close(std::unique_ptr<ResultAccount> account);
  Mutex& mutex() const { return mutex_; }

 private:
  mutable Mutex mutex_;
  ResultLedger ledger_ WB_GUARDED_BY(mutex_);
};

// What has come of a chunk and is not committed.
struct ChunkNews {
  std::vector<ResultBatch> results;
  std::vector<EndedRange> ranges;
  bool turned = false;  // an instance has had a turn, for the first time
  bool ended = false;   // the scheduler has it no more: the rest says how
  Status status;
  bool cancelled = false;
  JobUsage usage;
  std::string device;
  std::string placement_reason;
  bool empty() const { return results.empty() && ranges.empty() && !turned && !ended; }
};

class ChunkRun : public ResultSink {
 public:
  // `signal`: woken where there is news.
  ChunkRun(Chunk chunk, JobId number, const JobRequest& request, std::shared_ptr<ChunkRoom> room,
           std::shared_ptr<WakeSignal> signal);
  ~ChunkRun() override;

  const Chunk& chunk() const { return chunk_; }
  JobId number() const { return number_; }
  uint64_t fuel_before() const { return fuel_before_; }
  void set_fuel_before(uint64_t fuel) { fuel_before_ = fuel; }  // before it is submitted

  ChunkNews Take();
  // These results are in the database, or are wanted no more. True: there was no room, and is now.
  bool Committed(uint64_t results, uint64_t held_bytes, uint64_t largest);
  void GiveUp();  // nothing of it is wanted any more; OnEnd still comes
  bool is_given_up() const;

  uint64_t Room() const override;
  uint64_t Reserve(uint64_t instances) override;
  void Release(uint64_t instances) override;
  uint64_t WholeRoom() const override;
  uint64_t Widen(uint64_t instances) override;
  void Narrow(uint64_t instances) override;
  void OnResults(ResultBatch results) override;
  void OnEnded(const EndedRange& range) override;
  void OnProgress(const JobProgress& progress) override;
  void OnEnd(Status status, bool cancelled, const JobUsage& usage) override;

 private:
  const Chunk chunk_;
  const JobId number_;
  const std::shared_ptr<ChunkRoom> room_;
  const std::shared_ptr<WakeSignal> signal_;
  uint64_t fuel_before_ = 0;
  std::unique_ptr<ResultAccount> account_;  // under the room's lock
  mutable Mutex mutex_;
  ChunkNews news_ WB_GUARDED_BY(mutex_);
  std::string device_ WB_GUARDED_BY(mutex_);
  std::string placement_reason_ WB_GUARDED_BY(mutex_);
  bool has_turned_ WB_GUARDED_BY(mutex_) = false;
  bool is_given_up_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
