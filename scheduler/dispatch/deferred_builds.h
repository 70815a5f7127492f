#pragma once

// DeferredBuilds: pipelines whose compiler does not begin yet since it would not pay
// (placement/build_choice.h). The jobs that could use them run on the interpreter. A compiler
// begins when it pays for one of those jobs, or when a job insists. What did not pay while its jobs
// ran is built when no other build is wanted, so that the module's next job finds it.
//
// Only on the coordinator's thread.

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/job_pictures.h"

namespace wb {

class DeferredBuilds {
 public:
  // Time at the coordinator: ReviewByClock() is to be called at what `wake_by` says, or soon after.
  struct Time {
    Clock& clock;
    std::function<void(TimePoint)> wake_by;
  };
  DeferredBuilds(CoordinatedJobs& jobs, const DeviceSet& devices, JobPictures& pictures,
                 PipelineBuilder& builder, const Time& time)
      : jobs_(jobs), devices_(devices), pictures_(pictures), builder_(builder), time_(time) {}

  // The job waits for this build, which is deferred; its launches are reviewed from now on.
  void Defer(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered);
  // Of a job on the interpreter: begins the compiler if that pays by now.
  void Consider(const ActiveJobRef& job);
  // Begins the compiler of the build that the job waits for. `why`: a sentence. No effect on a job
  // that waits for none, here and below.
  void Begin(const ActiveJobRef& job, const std::string& why);
  // The job waits for it no more. Without other jobs it is abandoned.
  void Stop(const ActiveJobRef& job);
  // The job ends. The time that it spent on the interpreter counts for the module's next job.
  void JobEnds(const ActiveJobRef& job);
  // Builds one that no job waits for, where no other build is wanted.
  void BuildInIdleTime();
  void ReviewByClock();

 private:
  struct DeferredBuild {
    LoweredRef lowered;
    DeviceLoop* device = nullptr;
    std::map<ActiveJobRef, TimePoint> jobs;  // on the interpreter, and since when
    double spent = 0;                        // seconds there of jobs that have ended
  };
  BuildPicture PictureOf(const ActiveJobRef& job, const DeferredBuild& deferred, KernelBuild build);

  CoordinatedJobs& jobs_;
  const DeviceSet& devices_;
  JobPictures& pictures_;
  PipelineBuilder& builder_;
  const Time time_;
  std::map<Digest, DeferredBuild> builds_;  // by the pipeline's key
  std::deque<Digest> idle_;                 // of those, the ones without jobs, the oldest first
};

}  // namespace wb
