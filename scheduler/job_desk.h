#pragma once

// JobDesk: sees a job from Submit to a device: lowered, placed, built, handed over; and takes back
// what a device cannot run. A job that may run anywhere goes to the interpreter while a compiler
// works for it, and is recalled from there when that is done. Everything here happens on the desk's
// one thread.

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scheduler/active_job.h"
#include "scheduler/device_loop.h"
#include "scheduler/lowering.h"
#include "scheduler/pipeline_builder.h"
#include "scheduler/start_queue.h"

namespace wb {

class JobDesk {
 public:
  // Told when a job has ended and its sink has heard of it.
  using Ended = std::function<void(JobId)>;
  // All but the interpreter may be nullptr. All outlive this.
  struct Devices {
    DeviceLoop* cpu = nullptr;
    DeviceLoop* cuda = nullptr;
    DeviceLoop* interpreter = nullptr;
  };
  // Time at the desk: EndOverdue() is to be called at what `wake_by` says, or soon after.
  struct Time {
    Clock& clock;
    std::function<void(TimePoint)> wake_by;
  };
  JobDesk(Lowering& lowering, PipelineBuilder& builder, Devices devices, bool start_on_interpreter,
          Ended ended, Time time);

  void Admit(ActiveJobRef job);
  void TakeBack(const Departure& departure, GivenBack why, const Status& status);
  void EndIfCancelled(const ActiveJobRef& job);  // if it is here
  void EndOverdue();    // whose limits of time are over, of those who are here
  void GatesChanged();  // a device was closed to instances, or opened
  void End(const ActiveJobRef& job, const Status& status);
  // Why it waits here. Any thread.
  std::vector<WaitReason> WaitsOf(const ActiveJobRef& job) const;

 private:
  void StartNext();
  void Prepare(const ActiveJobRef& job);
  void OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result);
  void OnBuilt(const ActiveJobRef& job, Engine engine, const Result<BuiltPipeline>& result);
  void HandOver(const ActiveJobRef& job, Engine engine, const BuiltPipeline& built);
  void StartMeanwhile(const ActiveJobRef& job, Engine engine, const LoweredRef& lowered);
  void OnBuiltMeanwhile(const ActiveJobRef& job, const Result<BuiltPipeline>& result);
  void OnBetter(const ActiveJobRef& job, Engine engine, const Result<BuiltPipeline>& better);
  void Elsewhere(const ActiveJobRef& job, Engine engine, const Status& status);
  void WatchTime(const ActiveJobRef& job);
  // Closed devices (job_desk_gates.cc).
  bool IsOpen(Engine engine) const;
  std::optional<Engine> OpenEngine(const ActiveJobRef& job, Engine engine);
  void AwaitGate(const ActiveJobRef& job, Engine engine);
  void PrepareAgain(const ActiveJobRef& job);
  // `device`: whose compiler, or which it waits for.
  void SayWaiting(const ActiveJobRef& job, std::string waiting_for,
                  const DeviceLoop* device = nullptr);
  void NoteWait(const ActiveJobRef& job, std::string compiler, const DeviceLoop* device);
  void LetGo(const ActiveJobRef& job);  // it is here no more
  static void Explain(const ActiveJobRef& job, std::string reason);
  void AwaitCompiler(const ActiveJobRef& job, Engine engine);
  DeviceLoop* DeviceOf(Engine engine) const;
  Engine EngineOf(const std::string& device) const;
  bool Holds(const ActiveJobRef& job) const { return held_.count(job) > 0; }

  Lowering& lowering_;
  PipelineBuilder& builder_;
  const Devices devices_;
  const bool start_on_interpreter_;
  const Ended ended_;
  const Time time_;
  std::set<ActiveJobRef> held_;
  std::deque<ActiveJobRef> may_start_;
  bool starting_ = false;
  // On the interpreter while a compiler works for them; what it made, once it did.
  std::map<ActiveJobRef, std::optional<BuiltPipeline>> meanwhile_;
  std::set<ActiveJobRef> gated_;  // held, until a device opens
  // For others to see.
  struct Wait {
    std::string compiler;  // that it waits for; empty: none
    TimePoint since;
    const DeviceLoop* device = nullptr;  // what holds that up holds it up too
  };
  mutable Mutex mutex_;
  StartQueue<ActiveJobRef> starts_ WB_GUARDED_BY(mutex_);  // by tenant
  std::map<ActiveJobRef, Wait> waits_ WB_GUARDED_BY(mutex_);
  std::set<ActiveJobRef> displaced_;  // on the interpreter since their device is closed
};

}  // namespace wb
