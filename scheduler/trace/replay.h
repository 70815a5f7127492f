#pragma once

// Replay: an instance that trapped runs once more, alone or with its group, on an interpreter that
// traces, which knows the calls under way at the trap. An instance computes the same everywhere, so
// the calls are those of the first run; a replay that comes to another result is thrown away.
//
// Threads: one at a time, except for Stop.

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/base/lowered_modules.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/trace/replay_limits.h"
#include "scheduler/trace/stoppable_device.h"

namespace wb {

// The result is of a trap that a replay may explain.
bool MayReplay(const JobPlan& plan, const InstanceResult& result, const ReplayLimits& limits);

class Replay {
 public:
  // `start` makes an interpreter that traces (InterpreterSettings::traces): in an engine host of
  // its own where guests must not run in this process. It is called by Trace, for the first replay
  // and after a device was lost or ended.
  Replay(LoweredModules& modules, DeviceStarter start, const ReplayLimits& limits);
  ~Replay();

  // Synthetic functions, primitives and modules made of bindings are left out; what instantiates a
  // module has the function abi::NONE. Errors say why there are no calls: those of `start` and of
  // the device; DEADLINE_EXCEEDED; INTERNAL when the replay came to another end; CANCELLED after
  // Stop.
  Result<std::vector<TraceFrame>> Trace(const JobPlan& plan, const InstanceResult& result);

  void ForgetModule() { loaded_ = {}; }  // what the last replay loaded
  void EndDevice();                      // the next replay starts another
  // Ends a replay under way; all further ones fail. Any thread.
  void Stop() { device_.Stop(); }

 private:
  struct Loaded {
    LoweredModuleRef module;
    PipelineRef pipeline;
  };
  struct Ran {
    std::vector<uint32_t> record;
    CallTrace trace;
  };

  Status Load(const JobPlan& plan);
  Result<Ran> Run(const JobPlan& plan, const InstanceResult& result);
  Result<Ran> RunOnDevice(const JobPlan& plan, const InstanceResult& result);

  LoweredModules& modules_;
  const ReplayLimits limits_;
  StoppableDevice device_;
  Loaded loaded_;  // into the device, which outlives it
};

}  // namespace wb
