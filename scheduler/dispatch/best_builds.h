#pragma once

// BestBuilds: pipelines whose launches keep a GPU busy get the best build that its compiler can
// make, behind the full one. No job waits for it. Once it is there, jobs that run go on with it,
// their instances where they are; where it fails, they keep the full one.
//
// It costs processors, and begins when the device has been busy with the module for as long as it
// is expected to take.
//
// Only on the coordinator's thread.

#include <chrono>
#include <utility>

#include "scheduler/base/scheduler_log.h"
#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/pipelines/lowering.h"
#include "scheduler/pipelines/pipeline_builder.h"

namespace wb {

class BestBuilds {
 public:
  // All outlive it.
  BestBuilds(CoordinatedJobs& jobs, Lowering& lowering, PipelineBuilder& builder, SchedulerLog log)
      : jobs_(jobs), lowering_(lowering), builder_(builder), log_(std::move(log)) {}

  // The full build that the job runs has kept the device busy for so long by now.
  void Consider(const ActiveJobRef& job, DeviceLoop* device, std::chrono::nanoseconds busy);

 private:
  void Take(const BuiltPipeline& best);

  CoordinatedJobs& jobs_;
  Lowering& lowering_;
  PipelineBuilder& builder_;
  const SchedulerLog log_;
};

}  // namespace wb
