#pragma once

// ChunkClaims: one thread that claims chunks of the jobs that have open instances, and gives them
// to this daemon's scheduler. How many: claim_size.h.
//
// It claims of every job that its devices take, the oldest first, up to kMostJobs at a time. Which
// of them runs next is the scheduler's to say, by tenants and priorities: each host is fair among
// what it holds, so that all of them together are.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "daemon/cluster/chunk_runs.h"
#include "daemon/cluster/cluster_job_store.h"
#include "daemon/store/job_intake.h"
#include "scheduler/scheduler.h"

namespace wb {

// Whether a job that is placed so runs on such a device. (On the interpreter others run where they
// wait for their pipeline.)
bool Takes(Placement placement, Engine engine);

class ChunkClaims {
 public:
  static constexpr size_t kMostJobs = 64;

  struct Parts {
    std::shared_ptr<SharedStore> store;
    std::shared_ptr<ClusterJobStore> jobs;
    std::shared_ptr<ChunkRuns> runs;
    Scheduler* scheduler = nullptr;
    // A job of what its caller sent (JobRow::request).
    std::function<Result<Submission>(const std::string& whole)> prepare;
    std::shared_ptr<WakeSignal> chunk_signal;  // ChunkRun's
  };
  explicit ChunkClaims(Parts parts) : parts_(std::move(parts)) {}
  ~ChunkClaims();
  ChunkClaims(const ChunkClaims&) = delete;
  ChunkClaims& operator=(const ChunkClaims&) = delete;

  // Claims from now on; once. Apart from the constructor, since chunks may end before that returns.
  void Start();
  void Wake() { signal_.Wake(); }  // jobs or chunks have changed; any thread
  void Stop();                     // claims nothing from now on
  void End();                      // and its thread has ended
  void SetHosts(uint32_t hosts);   // that are heard
  // This host had better leave the job to others for a while.
  void Avoid(const std::string& job);

 private:
  void Avoid(const std::string& job, std::chrono::nanoseconds time);
  void Run();
  void Pass();
  SharedRoom RoomBeside(const std::vector<SharedJob>& jobs);
  JobHolding HoldingOf(const SharedJob& job) const;
  bool ClaimOf(const SharedJob& job, SharedRoom* room);  // false: it claimed nothing
  uint64_t SizeFor(const SharedJob& job, const JobRequest& request, const SharedRoom& room);
  uint64_t LanesFor(Placement placement) const;
  Status Begin(const SharedJob& job, Chunk chunk);
  // Of the job's caller, kept while chunks of it are claimed.
  Result<const Submission*> SubmissionFor(const SharedJob& job);
  void Refuse(const SharedJob& job, const Status& why);

  const Parts parts_;
  std::map<std::string, Submission> prepared_;  // of the thread
  WakeSignal signal_;
  Mutex mutex_;
  std::map<std::string, TimePoint> avoided_ WB_GUARDED_BY(mutex_);  // until then
  uint32_t hosts_ WB_GUARDED_BY(mutex_) = 1;
  bool claims_ WB_GUARDED_BY(mutex_) = true;
  std::thread thread_;
};

}  // namespace wb
