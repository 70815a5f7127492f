#pragma once

// ChunkRuns: the chunks that this daemon's scheduler runs, by their numbers there.
//
// Threads: any; has a lock of its own.

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/chunk_run.h"
#include "daemon/cluster/claim_speed.h"

namespace wb {

class ChunkRuns {
 public:
  explicit ChunkRuns(uint64_t max_memory_bytes)
      : room_(std::make_shared<ChunkRoom>(max_memory_bytes)) {}

  std::shared_ptr<ChunkRun> Add(Chunk chunk, const JobRequest& request,
                                std::shared_ptr<WakeSignal> signal);
  void Remove(JobId number);
  std::vector<std::shared_ptr<ChunkRun>> All() const;
  std::vector<std::shared_ptr<ChunkRun>> Of(const std::string& job) const;

  // Instances of the job that are held without a result, and how many end in a second.
  struct Pace {
    uint64_t held = 0;
    double per_second = 0;
  };
  Pace PaceOf(const std::string& job) const;
  void Finished(const std::string& job, uint64_t instances);
  void GaveBack(const std::string& job, uint64_t instances);

 private:
  // Of a job, while there are chunks of it and a while longer.
  struct Work {
    uint64_t held = 0;
    ClaimSpeed speed;
  };

  void Drop(Work* work, uint64_t instances, TimePoint now);

  const std::shared_ptr<ChunkRoom> room_;
  mutable Mutex mutex_;
  std::map<JobId, std::shared_ptr<ChunkRun>> runs_ WB_GUARDED_BY(mutex_);
  std::map<std::string, Work> work_ WB_GUARDED_BY(mutex_);
  JobId last_number_ WB_GUARDED_BY(mutex_) = JobId{1} << 62;
};

}  // namespace wb
