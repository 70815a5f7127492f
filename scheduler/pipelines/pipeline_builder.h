#pragma once

// PipelineBuilder: kernel texts to binaries: from memory, from the cache on disk, or by the
// device's compiler; each key is built once however many ask. A long text is built twice where the
// device has a quick way: first that, then the full one behind it. Who can do without a compiler
// for a while is patient: where only such wait it begins when the coordinator says so. Used on the
// coordinator's thread only.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "scheduler/base/backoff.h"
#include "scheduler/base/lru.h"
#include "scheduler/base/work_queue.h"
#include "scheduler/pipelines/build_queue.h"
#include "scheduler/pipelines/build_target.h"
#include "scheduler/pipelines/build_times.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/pipeline_cache.h"
#include "scheduler/pipelines/prepared_pipeline.h"

namespace wb {

struct BuiltPipeline {
  PreparedPipeline pipeline;
  bool cached = false;
  std::chrono::nanoseconds time{};  // of the device's compiler; 0 if cached
};
using BuiltDone = std::function<void(Result<BuiltPipeline>)>;

// Who waits for a pipeline; all run on the coordinator's thread.
struct BuildWaiter {
  BuiltDone done;  // once; perhaps before Get() returns
  // Before it, if it has to wait for a compiler, at work or put off; may be empty. False: it does
  // not wait any more.
  std::function<bool()> compiling{};
  // After `done` gave a quick pipeline: the full one, or why there is none; may be empty, may never
  // run.
  std::function<void(const Result<BuiltPipeline>&)> better{};
  // Before `done`, as often as the machine failed the compiler and it is tried again: after so many
  // tries, and why. May be empty.
  std::function<void(uint32_t tries, const Status& why)> delayed{};
  bool patient = false;  // no compiler begins for it alone
  FairShare share = {};  // by whose turn it is built
};

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
  };
  // `devices`: each with how many builds it may have under way, and one more behind a quick one. No
  // build of one waits behind one of another, and no first build behind a full one of that kind.
  // Tenants take turns (build_turns.h).
  PipelineBuilder(PipelineCache& cache, Clock& clock, Queues queues, const Limits& limits,
                  const std::map<BuildTarget*, uint32_t>& devices);

  // One more that came later, before anything is asked for it. Any thread.
  void AddDevice(const BuildTarget& device, uint32_t at_once);

  // Errors: COMPILE_FAILED for a text beyond the limit; the device's COMPILE_FAILED and
  // COMPILE_TIMEOUT, which are remembered; DEVICE_LOST when the device does not come back. What the
  // machine fails to do (MACHINE_FAULT) is tried again a few times, later and later; its faults are
  // never remembered. A source without text (the interpreter's) does not go to the disk.
  void Get(LoweredRef lowered, BuildTarget& device, BuildWaiter waiter);

  // As Get, but no compiler is started: NO_DEVICE_FITS when there is none yet, in memory or on
  // disk. A build under way for others is not waited for.
  void Find(const LoweredRef& lowered, BuildTarget& device, BuiltDone done);

  // Whether all who wait for this key are patient, so that no compiler works on it.
  bool IsPutOff(const Digest& key) const;
  void Begin(const Digest& key);    // the compiler, where it is put off
  void Abandon(const Digest& key);  // where it is put off: nobody waits any more, nobody is told
  Digest KeyOf(const LoweredRef& lowered, const BuildTarget& device) const;
  // What its compiler is expected to take until there is a pipeline, the quick one if there is a
  // quick way.
  double SecondsFor(const LoweredRef& lowered, const BuildTarget& device) const;
  double SecondsForFull(const LoweredRef& lowered, const BuildTarget& device) const;
  KernelBuild FirstBuild(const LoweredRef& lowered, const BuildTarget& device) const;
  bool IsTimed(const LoweredRef& lowered,
               const BuildTarget& device) const;  // so that it is no guess
  uint32_t compilers() const;                     // at work, or about to be
  bool IsIdle() const { return pending_.empty(); }

  // Forgets a binary that did not load, here and on disk; `bad` ok: it may be built again.
  void Forget(const Digest& key, const Status& bad);

  void TimeHasCome();  // for what is tried again

  // Waits for the builds under way, drops the others. After the devices were closed.
  void Close();

 private:
  struct Request {
    Digest key;
    LoweredRef lowered;
    BuildTarget* device = nullptr;
    std::string target;
    bool has_quick = false;
    FairShare share;
    bool on_disk() const { return !lowered->source.text.empty(); }
    CacheLabel Label(Effort effort) const;
    PreparedPipeline With(std::shared_ptr<const Bytes> binary, Effort effort) const;
  };
  using Outcome = Result<BuiltPipeline>;
  struct Attempt {
    Request request;
    Effort effort = Effort::kFull;
    bool behind = false;
  };
  struct Failure {
    Status status;
    TimePoint since;
  };
  struct PendingBuild {
    bool compiling = false;
    std::optional<uint64_t> first;       // its first build's number, once it has its place
    std::optional<Request> put_off;      // it is nowhere, and only patient ones wait
    std::optional<BuiltPipeline> quick;  // while the full one is built
    std::vector<BuildWaiter> waiters;
    // Where the machine failed the compiler: what is tried again, and when.
    std::optional<Attempt> next;
    TimePoint next_at;
    uint32_t tries = 0;  // that failed so
    Backoff backoff;
  };

  struct Builds {
    Builds(Clock& clock, uint32_t at_once) : first(clock, at_once), behind(clock, 1) {}
    BuildQueue first;
    BuildQueue behind;  // full builds of what has a quick one
  };

  Request RequestFor(LoweredRef lowered, BuildTarget& device) const;
  const Status* KnownFailure(const Digest& key);
  void Look(const Request& request);
  bool LookFor(const Request& request, Effort effort);
  Builds& BuildsOf(const BuildTarget* device);
  uint64_t PostBuild(Attempt attempt);  // its number in the queue
  void PostFirst(PendingBuild& pending, Attempt attempt);
  void Build(const Attempt& attempt);
  Outcome BuildOnDevice(const Request& request, Effort effort);
  void RecordAbsent(const Request& request);
  void BeginPending(PendingBuild& pending, const Request& request);
  void RecordTime(const Request& request, const Outcome& outcome);
  void Answer(const Request& request, Outcome outcome);
  void Settle(const Request& request, const Outcome& outcome);
  bool TryAgain(const Attempt& attempt, const Status& why);
  void TakeQuick(const Digest& key, const BuiltPipeline& quick);
  void Finish(const Digest& key, const Outcome& outcome);

  PipelineCache& cache_;
  Clock& clock_;
  Queues queues_;
  const Limits limits_;
  Mutex builds_mutex_;
  std::map<const BuildTarget*, std::unique_ptr<Builds>> builds_ WB_GUARDED_BY(builds_mutex_);
  Lru<Digest, PreparedPipeline> known_;
  Lru<Digest, Failure> failures_;
  std::map<Digest, PendingBuild> pending_;
  BuildTimes times_;
};

}  // namespace wb
