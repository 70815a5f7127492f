#include "scheduler/dispatch/returned_jobs.h"

#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/compile_request.h"

namespace wb {

void ReturnedJobs::OnBuildFailed(const ActiveJobRef& job, DeviceLoop* device,
                                 const Status& status) {
  const bool is_lost = status.reason() == Reason::kDeviceLost;
  if (is_lost && parts_.places.MayGoToAnother(job, device)) return moves_.PrepareAgain(job);
  GoElsewhere(job, device, status);
}

// The interpreter can run it, unless the job insists on a device or came from the interpreter.
void ReturnedJobs::GoElsewhere(const ActiveJobRef& job, DeviceLoop* device, const Status& status) {
  const bool is_open = job->plan.spec.placement == Placement::kAuto;
  if (device == parts_.devices.interpreter() || !is_open) return moves_.End(job, status);
  if (parts_.devices.cpu() != nullptr && device != parts_.devices.cpu()) {  // it only stood in
    parts_.jobs.PlacementOf(job, device)->pipeline = PlacementState::Pipeline::kFailed;
    return moves_.PrepareAgain(job);
  }
  job->avoids = CannotRun(device->id(), status);
  moves_.StartOver(job);
}

void ReturnedJobs::FindAnotherPlace(const Departure& departure, GivenBack why,
                                    const Status& status) {
  const ActiveJobRef& job = departure.job;
  DeviceLoop* device = parts_.devices.Named(departure.device);
  switch (why) {
    case GivenBack::kNoMemory:
      if (parts_.places.MayGoToAnother(job, device)) return moves_.PrepareAgain(job);
      return device == parts_.devices.cpu() ? moves_.End(job, status)
                                            : GoElsewhere(job, device, status);
    case GivenBack::kNoEngine:
    case GivenBack::kMachine:
      return parts_.places.MayGoToAnother(job, device) ? moves_.PrepareAgain(job)
                                                       : GoElsewhere(job, device, status);
    case GivenBack::kKillsEngine:
      parts_.builder.Forget(departure.pipeline,
                            Status(Reason::kCompileFailed, status.message(), status.details()));
      return GoElsewhere(job, device, status);
    case GivenBack::kClosed:
    case GivenBack::kEvicted: return moves_.PrepareAgain(job);
    case GivenBack::kBadPipeline: return BuildAnew(departure, status);
  }
}

// Once. A second bad binary is the compiler's fault, not the disk's.
void ReturnedJobs::BuildAnew(const Departure& departure, const Status& status) {
  const bool again = departure.job->preparations > 1;
  parts_.builder.Forget(departure.pipeline, again ? status : Status());
  if (!again) return moves_.StartOver(departure.job);
  GoElsewhere(departure.job, parts_.devices.Named(departure.device), status);
}

void ReturnedJobs::LeaveInterpreter(const ActiveJobRef& job, GivenBack why) {
  CoordinatedJob& record = parts_.jobs.At(job);
  const BuiltPipeline* ready = record.TargetPipeline();
  DeviceLoop* target = std::exchange(record.target, nullptr);
  if (!parts_.places.IsMeantFor(job, target)) {
    parts_.deferred.Stop(job);
    const bool is_moved = why == GivenBack::kEvicted || why == GivenBack::kClosed;
    return is_moved ? moves_.PrepareAgain(job) : moves_.StartOver(job);
  }
  if (ready == nullptr) {
    parts_.deferred.Begin(job, "it cannot stay there.");
    return parts_.board.WaitForCompilerOf(job, target);
  }
  ExplainPlacement(
      *job, "The module was compiled for the device " + Quoted(target->id()) + " meanwhile.");
  moves_.HandOver(job, target, BuiltPipeline(*ready));
}

}  // namespace wb
