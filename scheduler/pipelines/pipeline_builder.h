#pragma once

// PipelineBuilder: kernel texts to binaries: from memory, from the cache on disk, or by the
// device's compiler. Each key is built once, however many jobs ask. A long text is built twice
// where the device has a quick way: the quick build first, then the full one behind it. Where every
// job that waits can do without a compiler for a while, the build is deferred until the coordinator
// begins it. A best build is asked for apart, once for a key; nobody waits for it, and it takes the
// place of the full one.
//
// Threads: the coordinator's only, but for AddDevice().

#include <chrono>
#include <functional>
#include <map>

#include "scheduler/base/lru.h"
#include "scheduler/base/work_queue.h"
#include "scheduler/pipelines/build_estimates.h"
#include "scheduler/pipelines/build_request.h"
#include "scheduler/pipelines/device_builds.h"
#include "scheduler/pipelines/pending_builds.h"
#include "scheduler/pipelines/pipeline_cache.h"

namespace wb {

class PipelineBuilder {
 public:
  struct Queues {
    WorkQueue& coordinator;                  // runs the answers
    WorkQueue& worker;                       // reads the cache
    std::function<void(TimePoint)> wake_by;  // then TimeHasCome() is called on the coordinator
  };
  struct Limits {
    uint64_t max_text_bytes = ~uint64_t{0};
    // A compiler that failed on a text is not asked again for so long.
    std::chrono::nanoseconds retry_after = std::chrono::minutes(30);
    bool quick_only = false;  // a text that has a quick build gets no full one
  };
  // `devices`: each with how many builds it may have under way (device_builds.h).
  PipelineBuilder(PipelineCache& cache, Clock& clock, const Queues& queues, const Limits& limits,
                  const std::map<BuildTarget*, uint32_t>& devices);

  // One more that came later, before anything is asked for it. Any thread.
  void AddDevice(const BuildTarget& device, uint32_t at_once) {
    builds_.AddDevice(device, at_once);
  }

  // Errors: COMPILE_FAILED for a text beyond the limit; the device's COMPILE_FAILED and
  // COMPILE_TIMEOUT, which are remembered; DEVICE_LOST when the device does not come back. What the
  // machine fails to do (MACHINE_FAULT) is tried again a few times, later and later; its faults are
  // never remembered. A source without text (the interpreter's) does not go to the disk.
  void Get(LoweredRef lowered, BuildTarget& device, const BuildWaiter& waiter);

  // As Get, but no compiler is started: NO_DEVICE_FITS when there is no full build yet (with
  // quick_only: none at all), in memory or on disk. A build under way for others is not waited for.
  void Find(const LoweredRef& lowered, BuildTarget& device, BuiltDone done);

  // The best build of what has a full one here. `done` is called once the best one is what Get()
  // gives, or with the reason why there is none. It is never called where the full build is the
  // best one, where the best was asked for before, and with quick_only. What failed through the
  // machine's fault, or was lost with the device, may be asked for again.
  void GetBest(LoweredRef lowered, BuildTarget& device, const FairShare& share, BuiltDone done);

  // Whether all jobs that wait for this key can defer it, so that no compiler works on it.
  bool IsDeferred(const Digest& key) const { return pending_.IsDeferred(key); }
  void Begin(const Digest& key) { pending_.Begin(key); }      // the compiler, where it is deferred
  void Abandon(const Digest& key) { pending_.Abandon(key); }  // likewise: the waiters are not told
  Digest KeyOf(const LoweredRef& lowered, const BuildTarget& device) const;
  const BuildEstimates& estimates() const { return estimates_; }
  uint32_t compilers() const { return pending_.compilers(); }  // at work, or about to be
  bool IsIdle() const { return pending_.IsEmpty(); }

  // Forgets a binary that did not load, here and on disk; `bad` ok: it may be built again.
  void Forget(const Digest& key, const Status& bad);

  void TimeHasCome() { pending_.TimeHasCome(); }

  // Waits for the builds under way, drops the others. After the devices were closed.
  void Close() { builds_.Close(); }

 private:
  using Outcome = Result<BuiltPipeline>;
  struct Failure {
    Status status;
    TimePoint since;
  };

  const Status* KnownFailure(const Digest& key);
  void Look(const BuildRequest& request);
  std::optional<PreparedPipeline> Cached(const BuildRequest& request, Effort effort);
  bool LookFor(const BuildRequest& request, Effort effort);
  void Build(const BuildAttempt& attempt);
  void BuildBehind(const BuildRequest& request);
  void BuildBest(const BuildAttempt& attempt);
  void FinishBest(const BuildAttempt& attempt, const Outcome& outcome);
  Outcome BuildOnDevice(const BuildRequest& request, Effort effort);
  void Settle(const BuildRequest& request, const Outcome& outcome);
  void Finish(const Digest& key, const Outcome& outcome);

  PipelineCache& cache_;
  Clock& clock_;
  const Queues queues_;
  const Limits limits_;
  DeviceBuilds builds_;
  PendingBuilds pending_;
  BuildEstimates estimates_;
  Lru<Digest, PreparedPipeline> known_;
  Lru<Digest, Failure> failures_;
  Lru<Digest, bool> best_asked_;  // keys
};

}  // namespace wb
