#include "scheduler/dispatch/gate_waits.h"

#include <string>
#include <vector>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

std::string NamesOf(const std::vector<DeviceLoop*>& devices) {
  std::string names;
  for (const DeviceLoop* device : devices) names += (names.empty() ? "" : ", ") + device->id();
  return Quoted(names);
}

}  // namespace

DeviceLoop* GateWaits::OpenDevice(const ActiveJobRef& job, DeviceClass device_class) {
  DeviceLoop* device = parts_.places.Pick(job, device_class);
  WB_CHECK(device != nullptr);  // no choice without a device
  if (device->IsOpen()) return device;
  DeviceLoop* interpreter = parts_.devices.interpreter();
  if (job->plan.spec.placement != Placement::kAuto || !interpreter->IsOpen()) return nullptr;
  parts_.jobs.At(job).is_displaced = true;
  ExplainPlacement(*job, "The device " + Quoted(device->id()) + " takes no instances now.");
  return interpreter;
}

void GateWaits::AwaitOpening(const ActiveJobRef& job, DeviceClass device_class) {
  std::vector<DeviceLoop*> closed;
  for (DeviceLoop* device : parts_.devices.Of(device_class)) {
    if (!device->IsOpen()) closed.push_back(device);
  }
  if (closed.empty()) return moves_.PrepareAgain(job);  // one was opened this very moment
  parts_.board.WaitForDevice(job, closed.front());
  const Gate gate = closed.front()->Snapshot().gate;
  const std::string which =
      closed.size() == 1
          ? "the device " + NamesOf(closed) + ", which is " + std::string(GateName(gate))
          : "one of the devices " + NamesOf(closed) + ", which are closed,";
  job->Publish([&](JobProgress& progress) {
    progress.phase = JobPhase::kQueued;
    progress.device = closed.front()->id();
    progress.waiting_for = which + " until it is uncordoned";
  });
}

void GateWaits::StandIn(const ActiveJobRef& job, DeviceLoop* gpu, const BuiltPipeline& built) {
  const JobPicture picture = parts_.pictures.PictureOf(job, {parts_.devices.interpreter(), gpu});
  const bool is_known = !WorkersOf(picture).empty();
  const Change change = WhetherToChange(picture, 0, 1);
  if (is_known && change.goes) {
    ExplainPlacement(*job, "The CPU device takes no instances now: " + change.reason);
    return moves_.HandOver(job, gpu, built);
  }
  parts_.warmup.StartBeside(job, gpu, built,
                            "It starts on the interpreter, since the CPU device takes no "
                            "instances now; the device " +
                                Quoted(gpu->id()) + " gets it if it ends sooner there.");
}

// Jobs that wait for a device come first: they have waited longest.
void GateWaits::OnGatesChanged() {
  for (const ActiveJobRef& job : parts_.jobs.All()) {
    if (!parts_.jobs.IsIn(job, JobStage::kWaitingForDevice)) continue;
    if (parts_.jobs.Advance(job, JobEvent::kGatesChanged) == JobAction::kLower) {
      moves_.PrepareAgain(job);
    }
  }
  for (const ActiveJobRef& job : parts_.jobs.All()) {
    if (parts_.jobs.IsHeld(job)) continue;  // it may have gone back to wait for another device
    switch (parts_.jobs.Advance(job, JobEvent::kGatesChanged)) {
      case JobAction::kReviewWarmup: parts_.warmup.OnGatesChanged(job); break;
      case JobAction::kRebalance: GoBackIfOpen(job); break;
      default: break;
    }
  }
}

void GateWaits::GoBackIfOpen(const ActiveJobRef& job) {
  const bool is_displaced = parts_.jobs.At(job).is_displaced;
  if (is_displaced && parts_.devices.IsOpen(parts_.places.CompiledClassOf(job))) {
    parts_.devices.interpreter()->Evict(job);
  }
  if (job->unsettled || parts_.places.MayShare(*job)) moves_.Review(job);
}

}  // namespace wb
