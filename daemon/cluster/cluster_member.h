#pragma once

// ClusterMember: this daemon as one of several that run the jobs of a SharedStore. It is heard
// again and again, hears what changes, drops hosts that are silent, and has its part of the work
// done (ChunkClaims, ChunkCommits).
//
//   enters -> is heard -> leaves
//     ^          |
//     +- dropped +   it was not heard for its lease: what it runs is given up, since others run it
//
// Threads: the public methods from any.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/chunk_claims.h"
#include "daemon/cluster/chunk_commits.h"
#include "daemon/cluster/cluster_job_store.h"
#include "daemon/process/ticker.h"

namespace wb {

class ClusterMember {
 public:
  struct Parts {
    std::shared_ptr<SharedStore> store;
    std::shared_ptr<ClusterJobStore> jobs;
    Scheduler* scheduler = nullptr;
    std::function<Result<Submission>(const std::string& whole)> prepare;
    std::function<std::string()> facts;  // HostRow's, of this daemon's devices
    std::function<void()> tick;          // each time it was heard: what else others may change
    std::chrono::nanoseconds lease{};
    uint64_t max_memory_bytes = 0;  // of results on their way there
  };
  // Enters, and shows what is there. MACHINE_FAULT and as the store's.
  static Result<std::unique_ptr<ClusterMember>> Start(Parts parts);
  ~ClusterMember();

  void StopClaiming();
  // What runs has ended or was stopped: brings it, at most for `most`, and leaves.
  void Leave(std::chrono::nanoseconds most);
  std::vector<HostRow> Hosts() const;  // as heard last
  // What the scheduler calls the job's chunks that are here.
  std::vector<JobId> NumbersOf(const std::string& job) const;

 private:
  explicit ClusterMember(Parts parts);
  void Beat();
  void ReturnAfterDrop();
  void Hear();  // the thread of news
  void StopEnded();

  const Parts parts_;
  const std::shared_ptr<ChunkRuns> runs_;
  std::unique_ptr<ChunkCommits> commits_;
  std::unique_ptr<ChunkClaims> claims_;
  mutable Mutex mutex_;
  std::vector<HostRow> hosts_ WB_GUARDED_BY(mutex_);
  std::atomic<bool> stopping_{false};
  std::unique_ptr<Ticker> beats_;
  std::thread news_;
};

}  // namespace wb
