#pragma once

// Profiler: runs instances of a job once more, on an interpreter that counts fuel by the calls
// under way. Fuel is the same on every engine, so the counts are those of the first run.
//
// Threads: any; one sample is made at a time, and others wait. The caller's thread waits for the
// process that runs the guests, and computes little itself.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "compiler/base/mutex.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/trace/job_profile.h"
#include "scheduler/trace/profile_limits.h"
#include "scheduler/trace/stoppable_device.h"

namespace wb {

struct ProfileOrder {
  uint64_t instances = 1;  // at most kMostInstances
  bool loops = false;
  std::chrono::nanoseconds time = std::chrono::seconds(10);  // at most ProfileLimits::time
  std::function<bool()> is_unwanted = {};  // asked between instances; may be empty
};

class Profiler {
 public:
  // `start` makes an interpreter that profiles (InterpreterSettings::profiles): in an engine host
  // of its own where guests must not run in this process. It is called for each sample.
  Profiler(std::shared_ptr<LoweredModules> modules, DeviceStarter start,
           const ProfileLimits& limits = {});
  Profiler(const Profiler&) = delete;
  Profiler& operator=(const Profiler&) = delete;

  const ProfileLimits& limits() const { return limits_; }

  // A sample is never empty: its first instance runs whatever the time is, up to its fuel. Errors:
  // JOB_TERMINAL for a job whose caller answers calls, which is not asked again; those of `start`
  // and of the device; CANCELLED after Stop or where the sample became unwanted; INTERNAL where the
  // counts are not the fuel that the instance used.
  Result<JobProfile> Run(const JobPlan& plan, const ProfileOrder& order);
  // Ends a sample under way; all further ones fail. Any thread.
  void Stop() { device_.Stop(); }

 private:
  Status Sample(const JobPlan& plan, const ProfileOrder& order, ProfileBuilder* builder,
                JobProfile* profile);

  const std::shared_ptr<LoweredModules> modules_;
  const ProfileLimits limits_;
  Mutex running_;           // one sample at a time
  StoppableDevice device_;  // of the sample
};

}  // namespace wb
