#pragma once

// JobLedger: how things stand in an active job, behind its one lock: which instances wait, have a
// seat, ask or have ended, what they have used, and what is shown of it. The parts of the job
// (ActiveJob, ActiveCalls, ActiveLimits) share it; what several of them do to it is done here.
//
// Threads: any, with `mutex` held for all that it guards. The sink is called with it held.

#include <atomic>
#include <memory>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"
#include "scheduler/job/active/job_meter.h"
#include "scheduler/job/active/progress_estimator.h"
#include "scheduler/job/active/seat_ledger.h"
#include "scheduler/job/backlog.h"
#include "scheduler/job/host_calls/host_call_log.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/job/job_progress.h"
#include "scheduler/job/result_batch.h"

namespace wb {

struct JobLedger {
  // `its_plan`, `is_cancelled` and `its_clock` outlive it.
  JobLedger(const JobPlan& its_plan, const std::atomic<bool>& is_cancelled,
            std::shared_ptr<ResultSink> its_sink, Clock& its_clock);

  const JobPlan& plan;
  const std::atomic<bool>& cancelled;
  const std::shared_ptr<ResultSink> sink;
  Clock& clock;

  mutable Mutex mutex;
  Backlog backlog WB_GUARDED_BY(mutex);    // instances that wait
  SeatLedger seats WB_GUARDED_BY(mutex);   // those that have a seat
  HostCallLog calls WB_GUARDED_BY(mutex);  // those that ask
  JobMeter meter WB_GUARDED_BY(mutex);
  ProgressEstimator estimator WB_GUARDED_BY(mutex);
  JobProgress progress WB_GUARDED_BY(mutex);

  // No instance starts any more.
  bool HasEnded() const WB_REQUIRES(mutex) { return cancelled.load() || meter.reached(); }
  bool AllFinished() const WB_REQUIRES(mutex) { return progress.finished == plan.spec.instances; }

  // The instance has no seat any more and waits for one.
  void Return(InstanceRef instance) WB_REQUIRES(mutex);
  // The instances, which have no seat any more, have ended.
  void Deliver(ResultBatch results) WB_REQUIRES(mutex);
  void Publish() WB_REQUIRES(mutex);  // the progress, to the sink
  // What a job begins with that goes on where this one ended, but states.
  JobBefore Left() const WB_REQUIRES(mutex);

 private:
  void DropFinishedBefore(ResultBatch& results) WB_REQUIRES(mutex);
};

}  // namespace wb
