#pragma once

// JobCoordinator: takes a job from Submit to its devices: lowered, placed, built, handed over; and
// takes back what a device cannot run. Events come in here; the table of stages (job_stage.h) says
// what each of them makes of a job, and a part does it: README.md has the picture.
//
// Threads: WaitsOf() from any thread, all else on the coordinator's one thread.

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "scheduler/dispatch/best_builds.h"
#include "scheduler/dispatch/coordinated_job.h"
#include "scheduler/dispatch/deferred_builds.h"
#include "scheduler/dispatch/device_set.h"
#include "scheduler/dispatch/gate_waits.h"
#include "scheduler/dispatch/gpu_spread.h"
#include "scheduler/dispatch/gpu_start.h"
#include "scheduler/dispatch/interpreter_warmup.h"
#include "scheduler/dispatch/job_deadlines.h"
#include "scheduler/dispatch/job_moves.h"
#include "scheduler/dispatch/job_pictures.h"
#include "scheduler/dispatch/job_places.h"
#include "scheduler/dispatch/quick_builds.h"
#include "scheduler/dispatch/rebalance.h"
#include "scheduler/dispatch/returned_jobs.h"
#include "scheduler/dispatch/wait_board.h"

namespace wb {

class JobCoordinator : private JobMoves {
 public:
  // Called when a job has ended, after its sink.
  using Ended = std::function<void(JobId)>;
  using Time = DeferredBuilds::Time;  // TimeHasCome() is to be called at what `wake_by` says
  // All of these outlive this.
  struct Sources {
    Lowering& lowering;
    PipelineBuilder& builder;
    const RateBook& rates;
    SchedulerLog log;
  };
  JobCoordinator(const Sources& sources, DeviceSet devices, bool start_on_interpreter, Ended ended,
                 const Time& time);

  void Admit(const ActiveJobRef& job);
  void TakeBack(const Departure& departure, GivenBack why, const Status& status);
  void Leave(const Departure& departure);         // nothing is left for that device
  void Review(const ActiveJobRef& job) override;  // whether its place is still the best
  void EndIfCancelled(const ActiveJobRef& job);   // unless a device has it
  void EndIfFinished(const ActiveJobRef& job);    // likewise
  void TimeHasCome();                             // what is due by the clock
  // The full build that the job runs has kept the device busy for so long by now.
  void KeptBusy(const ActiveJobRef& job, const std::string& device, std::chrono::nanoseconds busy) {
    best_.Consider(job, devices_.Named(device), busy);
  }
  void AddGpu(DeviceLoop* gpu);                     // one that came later; outlives this
  void GatesChanged() { gates_.OnGatesChanged(); }  // a device was closed to instances, or opened
  // Why the job waits here.
  std::vector<WaitReason> WaitsOf(const ActiveJobRef& job) const { return board_.WaitsOf(job); }

 private:
  void StartOver(const ActiveJobRef& job) override;
  void PrepareAgain(const ActiveJobRef& job) override;
  void Place(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built) override;
  void HandOver(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built) override;
  void Join(const ActiveJobRef& job, const std::vector<DeviceLoop*>& devices,
            const BuiltPipeline& built) override;
  void GoOnAfterProbe(const ActiveJobRef& job) override;
  void TakeBetter(const ActiveJobRef& job, DeviceLoop* device,
                  const BuiltPipeline& better) override;
  void End(ActiveJobRef job, const Status& status) override;

  void StartNext();
  void Lower(const ActiveJobRef& job);
  void OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result);
  void GetPipeline(const ActiveJobRef& job, DeviceLoop* device, const LoweredRef& lowered);
  void OnBuilt(const ActiveJobRef& job, DeviceLoop* device, const Result<BuiltPipeline>& result);

  Lowering& lowering_;
  PipelineBuilder& builder_;
  const Ended ended_;
  CoordinatedJobs jobs_;
  DeviceSet devices_;
  JobPlaces places_;
  JobPictures pictures_;
  WaitBoard board_;
  JobDeadlines deadlines_;
  DeferredBuilds deferred_;
  QuickBuilds quick_;
  BestBuilds best_;
  GpuSpread spread_;
  Rebalance rebalance_;
  InterpreterWarmup warmup_;
  GateWaits gates_;
  GpuStart gpu_start_;
  ReturnedJobs returned_;
  std::deque<ActiveJobRef> may_start_;  // their tenants have room for them
  bool starting_ = false;
};

}  // namespace wb
