#pragma once

// Replay: an instance that trapped runs once more, alone, on the interpreter, which knows the calls
// under way at the trap. An instance computes the same everywhere, so the calls are those of the
// first run; a replay that comes to another result is thrown away.
//
// Threads: one at a time.

#include <chrono>
#include <memory>
#include <vector>

#include "scheduler/base/lowered_modules.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/interpreter/call_trace.h"
#include "scheduler/job/job_plan.h"

namespace wb {

// What a replay may take. Fuel and bytes decide before it begins, so that they decide alike on
// every machine; the time is for a machine that is slower than any we know.
struct ReplayLimits {
  uint64_t fuel = uint64_t{1} << 26;
  uint64_t module_bytes = uint64_t{8} << 20;
  uint64_t memory_bytes = uint64_t{256} << 20;  // of linear memory
  std::chrono::nanoseconds time = std::chrono::seconds(2);
  static constexpr size_t kMostFrames = 64;
};

// The result is of a trap that a replay may explain.
bool MayReplay(const JobPlan& plan, const InstanceResult& result, const ReplayLimits& limits);

class Replay {
 public:
  explicit Replay(LoweredModules& modules, const ReplayLimits& limits = {});
  ~Replay();

  // Empty: it may not be replayed, or the replay came to another end. Synthetic functions and
  // modules made of bindings are left out; what instantiates a module has the function abi::NONE.
  std::vector<TraceFrame> Trace(const JobPlan& plan, const InstanceResult& result);

  void ForgetModule() { loaded_ = {}; }  // what the last replay loaded
  // Ends a replay under way, which then has no frames. Any thread.
  void Stop();

 private:
  struct Loaded {
    LoweredModuleRef module;
    PipelineRef pipeline;
  };

  Status Load(const JobPlan& plan);
  // The record of the instance, or nothing if it did not end.
  Result<std::vector<uint32_t>> Run(const JobPlan& plan, uint64_t instance);

  LoweredModules& modules_;
  const ReplayLimits limits_;
  CallTrace trace_;
  const std::unique_ptr<Device> device_;
  Loaded loaded_;
};

}  // namespace wb
