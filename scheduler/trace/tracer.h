#pragma once

// Tracer: the thread that replays traps, one at a time. Only few traps wait for it: of more it
// makes no traces. It waits for the process that replays and computes nothing itself.
//
// Threads: any.

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/trace/replay.h"

namespace wb {

using JobPlanRef = std::shared_ptr<const JobPlan>;

class Tracer {
 public:
  // The frames, or why there are none. Runs on the tracer's thread, once.
  using Done = std::function<void(Result<std::vector<TraceFrame>>)>;

  // `start`: see Replay. It is called on the tracer's thread.
  Tracer(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
         const ReplayLimits& limits = {});
  // Traps that still wait are done without frames.
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  const ReplayLimits& limits() const { return limits_; }
  // False: it may not be replayed, or too many wait; then `done` is never called.
  bool Trace(JobPlanRef plan, const InstanceResult& result, Done done);
  // Blocks until every `done` has returned. Replays that have not ended after ReplayLimits::time
  // end then, and there are no further ones.
  void Drain();

 private:
  struct Task {
    JobPlanRef plan;
    InstanceResult result;  // without values and outputs
    Done done;
  };

  size_t MostWaiting() const { return 3 * limits_.per_job; }  // the first traps of three jobs
  void Run();
  // False: some `done` has not returned by then.
  bool AwaitIdle(std::chrono::steady_clock::time_point until);
  void AwaitWork();
  // True: one waits, or the tracer closes.
  bool AwaitTask(std::chrono::steady_clock::time_point until);

  const std::shared_ptr<LoweredModules> modules_;
  const ReplayLimits limits_;
  Replay replay_;  // of the thread
  Mutex mutex_;
  CondVar changed_;
  std::deque<Task> waiting_ WB_GUARDED_BY(mutex_);
  bool busy_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
