#pragma once

// SchedulerObserver: is told what devices and compilers did.
//
// Threads: called on threads of the scheduler, several at a time, with no lock held or that of one
// job. It must not block and must not call the scheduler.

#include <chrono>
#include <string>

#include "compiler/base/status.h"
#include "scheduler/bursts/burst_record.h"
#include "scheduler/devices/kernel_build.h"
#include "scheduler/job/job_progress.h"

namespace wb {

// What came of a build that a job waited for.
struct BuildRecord {
  JobId job = 0;
  std::string job_name;  // JobSpec::name
  KernelBuild build = KernelBuild::kNone;
  bool cached = false;              // it came from memory or the disk
  std::chrono::nanoseconds time{};  // of the compiler, until now; 0: cached, or it failed
  Status status;
};

class SchedulerObserver {
 public:
  virtual ~SchedulerObserver() = default;
  virtual void OnBurst(const BurstRecord& burst) = 0;
  virtual void OnBuild(const BuildRecord& build) = 0;
};

}  // namespace wb
