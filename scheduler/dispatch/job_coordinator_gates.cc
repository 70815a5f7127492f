// JobCoordinator: devices that are closed to instances. Jobs that may run anywhere go to the
// interpreter instead, or to a GPU where that ends sooner, and come back when the device opens; the
// others wait here.

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/base/check.h"
#include "scheduler/base/quoted.h"
#include "scheduler/dispatch/engine_choice.h"
#include "scheduler/dispatch/job_coordinator.h"

namespace wb {
namespace {

std::string NamesOf(const std::vector<DeviceLoop*>& devices) {
  std::string names;
  for (const DeviceLoop* device : devices) names += (names.empty() ? "" : ", ") + device->id();
  return Quoted(names);
}

}  // namespace

bool JobCoordinator::IsOpen(Engine engine) const {
  const std::vector<DeviceLoop*> devices = DevicesOf(engine);
  return std::any_of(devices.begin(), devices.end(),
                     [](const DeviceLoop* device) { return device->IsOpen(); });
}

bool JobCoordinator::HasOpenGpu(const ActiveJobRef& job) const {
  return std::any_of(devices_.gpus.begin(), devices_.gpus.end(),
                     [&](DeviceLoop* gpu) { return gpu->IsOpen() && !HasFailedOn(job, gpu); });
}

bool JobCoordinator::IsMeantFor(const ActiveJobRef& job, const DeviceLoop* device) const {
  const std::vector<DeviceLoop*> devices = DevicesOf(CompiledEngineFor(job));
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

// A GPU, for a closed CPU device.
bool JobCoordinator::StandsIn(const ActiveJobRef& job, const DeviceLoop* device) const {
  return MayStartMeanwhile(job) && devices_.cpu != nullptr && device != devices_.cpu &&
         device != devices_.interpreter && !devices_.cpu->IsOpen();
}

// It has the pipeline. The job goes there or to the interpreter, as measured; where nothing is
// known it is looked at on the interpreter first.
void JobCoordinator::StandIn(const ActiveJobRef& job, DeviceLoop* device,
                             const BuiltPipeline& built) {
  courses_[job];
  const JobPicture picture = PictureOf(job, {devices_.interpreter, device});
  const bool is_known = !WorkersOf(picture).empty();
  const Change change = WhetherToChange(picture, 0, 1);
  if (is_known && change.goes) {
    Explain(job, "The CPU device takes no instances now: " + change.reason);
    return HandOver(job, device, built);
  }
  StartBeside(job, device, built,
              "It starts on the interpreter, since the CPU device takes no instances now; the "
              "device " +
                  Quoted(device->id()) + " gets it if it ends sooner there.");
}

// Where the job goes that is meant for `engine`; nullptr: nowhere now.
DeviceLoop* JobCoordinator::OpenDevice(const ActiveJobRef& job, Engine engine) {
  DeviceLoop* device = Pick(job, engine);
  WB_CHECK(device != nullptr);  // no choice without a device
  if (device->IsOpen()) return device;
  if (job->plan.spec.placement != Placement::kAuto || !devices_.interpreter->IsOpen()) {
    return nullptr;
  }
  displaced_.insert(job);
  Explain(job, "The device " + Quoted(device->id()) + " takes no instances now.");
  return devices_.interpreter;
}

void JobCoordinator::AwaitGate(const ActiveJobRef& job, Engine engine) {
  std::vector<DeviceLoop*> closed;
  for (DeviceLoop* device : DevicesOf(engine)) {
    if (!device->IsOpen()) closed.push_back(device);
  }
  if (closed.empty()) return PrepareAgain(job);  // one was opened this very moment
  gated_.insert(job);
  RecordWait(job, "", closed.front());
  const Gate gate = closed.front()->Snapshot().gate;
  const std::string which =
      closed.size() == 1
          ? "the device " + NamesOf(closed) + ", which is " + std::string(GateName(gate))
          : "one of the devices " + NamesOf(closed) + ", which are closed,";
  job->Publish([&](JobProgress& progress) {
    progress.phase = JobPhase::kQueued;
    progress.device = closed.front()->id();
    progress.waiting_for = which + " until somebody uncordons it";
  });
}

// Not for a fault of the job or its pipeline: this does not count as one of its preparations.
void JobCoordinator::PrepareAgain(const ActiveJobRef& job) {
  --job->preparations;
  displaced_.erase(job);
  Prepare(job);
}

void JobCoordinator::GatesChanged() {
  for (const ActiveJobRef& job : std::exchange(gated_, {})) PrepareAgain(job);
  const std::set<ActiveJobRef> displaced = displaced_;
  for (const ActiveJobRef& job : displaced) {
    if (IsOpen(CompiledEngineFor(job))) devices_.interpreter->Evict(job);
  }
  for (const auto& [job, its] : std::map<ActiveJobRef, Meanwhile>(meanwhile_)) {
    if (!IsMeantFor(job, its.device)) {
      devices_.interpreter->Evict(job);
    } else if (its.built && IsOpen(its.device->info().engine)) {
      ReviewMeanwhile(job);
    }
  }
  std::vector<ActiveJobRef> sharing;
  for (const auto& [job, course] : courses_) {
    if (job->unsettled || MayShare(*job)) sharing.push_back(job);
  }
  for (const ActiveJobRef& job : sharing) Review(job);
}

}  // namespace wb
