#pragma once

// ActiveJob: an accepted job on its way from Submit to OnEnd. One thread at a time holds it (first
// the desk, then a device's thread, perhaps the desk again) and only the holder touches it and
// calls its sink, so nothing here is locked; `cancelled` alone may be set by anybody.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compiler/compiler.h"
#include "scheduler/backlog.h"
#include "scheduler/clock.h"
#include "scheduler/job_plan.h"
#include "scheduler/scheduler.h"

namespace wb {

// What a device needs to run a module.
struct PreparedPipeline {
  Digest key;  // of module, kernel text and device target
  std::shared_ptr<const LoweredModule> module;
  std::shared_ptr<const Bytes> binary;
  bool fast32 = false;  // it flushes f32 subnormals
  bool quick = false;   // a better one may follow under the same key
};

struct ActiveJob {
  ActiveJob(JobId job_id, JobPlan job_plan, std::shared_ptr<ResultSink> job_sink)
      : id(job_id),
        plan(std::move(job_plan)),
        sink(std::move(job_sink)),
        backlog(plan.spec.instances) {}

  const JobId id;
  const JobPlan plan;
  const std::shared_ptr<ResultSink> sink;
  std::atomic<bool> cancelled{false};  // once true, stays; orders nothing else

  Backlog backlog;
  JobProgress progress;
  PreparedPipeline pipeline;
  std::optional<TimePoint> deadline;  // set when it first runs, if it has a max_time
  std::string avoids;  // why its compiled engine must not get it (again); empty: it may
  uint32_t preparations = 0;

  bool AllFinished() const { return progress.finished == plan.spec.instances; }
  void Tell() const { sink->OnProgress(progress); }
  // Hands results over and counts them.
  void Deliver(std::vector<InstanceResult> results);
};
using ActiveJobRef = std::shared_ptr<ActiveJob>;

}  // namespace wb
