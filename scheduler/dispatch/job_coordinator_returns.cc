// JobCoordinator: jobs that a device gives back, and where they go then.

#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/job_coordinator.h"

namespace wb {

// The chosen device cannot: the interpreter can, unless the job insists or came from there.
void JobCoordinator::Elsewhere(const ActiveJobRef& job, DeviceLoop* device, const Status& status) {
  if (device == devices_.interpreter || job->plan.spec.placement != Placement::kAuto) {
    return End(job, status);
  }
  if (devices_.cpu != nullptr && device != devices_.cpu) {  // it only stood in
    courses_[job][device].pipeline = Stand::Pipeline::kFailed;
    return PrepareAgain(job);
  }
  job->avoids = CannotRun(device, status);
  Prepare(job);
}

void JobCoordinator::TakeBack(const Departure& departure, GivenBack why, const Status& status) {
  const ActiveJobRef job = departure.job;
  // A closed device is no fault of the job.
  if (why == GivenBack::kClosed) --courses_[job][DeviceNamed(departure.device)].joins;
  if (LeaveFor(departure)) return TakeBackShared(departure, why, status);
  held_.insert(job);
  displaced_.erase(job);
  WatchTime(job);
  if (job->cancelled.load()) return End(job, {});
  if (meanwhile_.count(job) > 0) return TakeBackMeanwhile(job, why);
  DeviceLoop* device = DeviceNamed(departure.device);
  switch (why) {
    case GivenBack::kNoMemory:
      if (MayGoToAnother(job, device)) return PrepareAgain(job);
      return device == devices_.cpu ? End(job, status) : Elsewhere(job, device, status);
    case GivenBack::kNoEngine:
    case GivenBack::kMachine:
      return MayGoToAnother(job, device) ? PrepareAgain(job) : Elsewhere(job, device, status);
    case GivenBack::kKillsEngine:
      builder_.Forget(departure.pipeline,
                      Status(Reason::kCompileFailed, status.message(), status.details()));
      return Elsewhere(job, device, status);
    case GivenBack::kClosed:
    case GivenBack::kEvicted: return PrepareAgain(job);
    case GivenBack::kBadPipeline: break;
  }
  // Built anew once; a second bad binary is the compiler's fault, not the disk's.
  const bool again = job->preparations > 1;
  builder_.Forget(departure.pipeline, again ? status : Status());
  return again ? Elsewhere(job, device, status) : Prepare(job);
}

// From the interpreter, where it was until the module would be compiled for another device.
void JobCoordinator::TakeBackMeanwhile(const ActiveJobRef& job, GivenBack why) {
  const auto meanwhile = meanwhile_.find(job);
  const Meanwhile its = std::move(meanwhile->second);
  meanwhile_.erase(meanwhile);
  if (!IsMeantFor(job, its.device)) {
    NoLongerPatient(job);
    const bool is_moved = why == GivenBack::kEvicted || why == GivenBack::kClosed;
    return is_moved ? PrepareAgain(job) : Prepare(job);
  }
  if (!its.built) BeginCompiler(job, "it cannot stay there.");
  if (!its.built) return AwaitCompiler(job, its.device);
  Explain(job,
          "The module was compiled for the device " + Quoted(its.device->id()) + " meanwhile.");
  HandOver(job, its.device, *its.built);
}

}  // namespace wb
