// JobDesk: devices that are closed to instances. Jobs that may run anywhere go to the interpreter
// instead, and come back when the device opens; the others wait here.

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/base/check.h"
#include "scheduler/job_desk.h"
#include "scheduler/placement.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

std::string NamesOf(const std::vector<DeviceLoop*>& devices) {
  std::string names;
  for (const DeviceLoop* device : devices) names += (names.empty() ? "" : ", ") + device->id();
  return Quoted(names);
}

}  // namespace

bool JobDesk::IsOpen(Engine engine) const {
  const std::vector<DeviceLoop*> devices = DevicesOf(engine);
  return std::any_of(devices.begin(), devices.end(),
                     [](const DeviceLoop* device) { return device->IsOpen(); });
}

// Where the job goes that is meant for `engine`; nullptr: nowhere now.
DeviceLoop* JobDesk::OpenDevice(const ActiveJobRef& job, Engine engine) {
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

void JobDesk::AwaitGate(const ActiveJobRef& job, Engine engine) {
  std::vector<DeviceLoop*> closed;
  for (DeviceLoop* device : DevicesOf(engine)) {
    if (!device->IsOpen()) closed.push_back(device);
  }
  if (closed.empty()) return PrepareAgain(job);  // one was opened this very moment
  gated_.insert(job);
  NoteWait(job, "", closed.front());
  const Gate gate = closed.front()->Snapshot().gate;
  const std::string which =
      closed.size() == 1
          ? "the device " + NamesOf(closed) + ", which is " + std::string(GateName(gate))
          : "one of the devices " + NamesOf(closed) + ", which are closed,";
  job->Tell([&](JobProgress& progress) {
    progress.phase = JobPhase::kQueued;
    progress.device = closed.front()->id();
    progress.waiting_for = which + " until somebody uncordons it";
  });
}

// Not for a fault of the job or its pipeline: this does not count as one of its preparations.
void JobDesk::PrepareAgain(const ActiveJobRef& job) {
  --job->preparations;
  displaced_.erase(job);
  Prepare(job);
}

void JobDesk::GatesChanged() {
  for (const ActiveJobRef& job : std::exchange(gated_, {})) PrepareAgain(job);
  const std::set<ActiveJobRef> displaced = displaced_;
  for (const ActiveJobRef& job : displaced) {
    if (IsOpen(CompiledEngineFor(*job))) devices_.interpreter->Recall(job);
  }
  for (const auto& [job, meanwhile] : meanwhile_) {
    if (meanwhile.built && IsOpen(CompiledEngineFor(*job))) {
      devices_.interpreter->Recall(job);
    }
  }
  std::vector<ActiveJobRef> sharing;
  for (const auto& [job, course] : courses_) {
    if (job->unsettled || MayShare(*job)) sharing.push_back(job);
  }
  for (const ActiveJobRef& job : sharing) Review(job);
}

}  // namespace wb
