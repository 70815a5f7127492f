#pragma once

// Tracer: the thread that replays traps. It has the lowest priority that the system gives it, and
// only few traps wait for it: of more it makes no traces.
//
// Threads: any.

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
  static constexpr size_t kMostWaiting = 9;  // the first traps of three jobs
  // Runs on the tracer's thread, once; the frames may be none.
  using Done = std::function<void(std::vector<TraceFrame>)>;

  explicit Tracer(std::shared_ptr<LoweredModules> modules, const ReplayLimits& limits = {});
  // Traps that still wait are done without frames.
  ~Tracer();
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  // False: it may not be replayed, or too many wait; then `done` is never called.
  bool Trace(JobPlanRef plan, const InstanceResult& result, Done done);
  // Blocks until every `done` has returned.
  void AwaitIdle();

 private:
  struct Task {
    JobPlanRef plan;
    InstanceResult result;  // without values and outputs
    Done done;
  };

  void Run();

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
