#pragma once

// ChunkCommits: one thread that brings what has come of this daemon's chunks into the database: a
// transaction for each chunk with its results, the job's progress and the chunk's end.
//
// What is brought and not acknowledged is brought again in the same form, until the database says
// what became of it: so an answer that was lost doubles nothing, and a launch that ended while the
// database was away loses nothing. Results of a chunk that is somebody else's by then are thrown
// away.
//
// A chunk that the scheduler stopped goes back to the ranges. One that cannot run ends its job,
// if another host would fare no better (IsOfTheJob); else this host leaves that job to others for a
// while.

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "daemon/cluster/chunk_runs.h"
#include "daemon/cluster/cluster_job_store.h"
#include "daemon/cluster/wake_signal.h"
#include "scheduler/job/instance_set.h"

namespace wb {

// Whether a job that could not run here could run nowhere.
bool IsOfTheJob(Reason reason);

class ChunkCommits {
 public:
  struct Parts {
    std::shared_ptr<SharedStore> store;
    std::shared_ptr<ClusterJobStore> jobs;
    std::shared_ptr<ChunkRuns> runs;
    std::function<void(JobId number)> room_came;  // the scheduler's
    // A chunk has ended or was given back. `avoid`: this host had better not claim of the job soon.
    std::function<void(const std::string& job, bool avoid)> chunk_ended;
  };
  explicit ChunkCommits(Parts parts);
  ~ChunkCommits();  // what has come is committed, if that can be at once
  ChunkCommits(const ChunkCommits&) = delete;
  ChunkCommits& operator=(const ChunkCommits&) = delete;

  void SetHosts(uint32_t hosts) { hosts_ = hosts; }  // that are heard
  // Wakes it where there is news of a chunk.
  const std::shared_ptr<WakeSignal>& signal() const { return signal_; }

 private:
  // What is to be brought of one chunk: of the thread alone.
  struct Bringing {
    InstanceSet done;       // that the database has
    uint64_t finished = 0;  // instances that are held no more (ChunkRuns)
    uint64_t number = 1;    // of the next commit
    ChunkNews news;         // as it came
    bool is_built = false;
    ChunkResults results;
    HostPart part;
    uint64_t count = 0;  // of results that took room, their bytes and the largest
    uint64_t held_bytes = 0;
    uint64_t largest = 0;
  };

  void Run();
  void Pass();  // over all chunks
  // False: the database did not take it, and it comes again.
  bool Bring(const std::shared_ptr<ChunkRun>& run, Bringing* bringing);
  void Gather(ChunkRun* run, Bringing* bringing);
  void Build(const ChunkRun& run, Bringing* bringing);
  Status Tell(const ChunkRun& run, const Bringing& bringing);
  void Settle(const std::shared_ptr<ChunkRun>& run, Bringing* bringing);
  bool EndChunk(const ChunkRun& run, const Bringing& bringing);
  void Forget(const ChunkRun& run, bool avoid);

  const Parts parts_;
  std::map<JobId, Bringing> bringing_;  // of the thread
  bool is_failing_ = false;             // likewise
  std::atomic<uint32_t> hosts_{1};
  const std::shared_ptr<WakeSignal> signal_ = std::make_shared<WakeSignal>();
  std::thread thread_;
};

}  // namespace wb
