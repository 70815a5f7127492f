#pragma once

// JobDesk: sees a job from Submit to a device: lowered, placed, built, handed over; and takes back
// what a device cannot run. Everything here happens on the desk's one thread.

#include <functional>
#include <set>

#include "scheduler/active_job.h"
#include "scheduler/device_loop.h"
#include "scheduler/lowering.h"
#include "scheduler/pipeline_builder.h"

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
  JobDesk(Lowering& lowering, PipelineBuilder& builder, Devices devices, Ended ended);

  void Admit(ActiveJobRef job);
  void TakeBack(ActiveJobRef job, GivenBack why, const Status& status);
  void EndIfCancelled(const ActiveJobRef& job);  // if it is here
  void End(const ActiveJobRef& job, const Status& status);

 private:
  void Prepare(const ActiveJobRef& job);
  void OnLowered(const ActiveJobRef& job, const Result<LoweredRef>& result);
  void OnBuilt(const ActiveJobRef& job, Engine engine, const Result<BuiltPipeline>& result);
  void Elsewhere(const ActiveJobRef& job, Engine engine, const Status& status);
  void SayWaiting(const ActiveJobRef& job, std::string waiting_for);
  DeviceLoop* DeviceOf(Engine engine) const;
  Engine EngineOf(const ActiveJob& job) const;  // that it was on
  bool Holds(const ActiveJobRef& job) const { return held_.count(job) > 0; }

  Lowering& lowering_;
  PipelineBuilder& builder_;
  const Devices devices_;
  const Ended ended_;
  std::set<ActiveJobRef> held_;
};

}  // namespace wb
