// JobDesk: devices that are closed to instances. Jobs that may run anywhere go to the interpreter
// instead, and come back when the device opens; the others wait here.

#include <utility>
#include <vector>

#include "scheduler/job_desk.h"
#include "scheduler/placement.h"
#include "scheduler/quoted.h"

namespace wb {

bool JobDesk::IsOpen(Engine engine) const { return DeviceOf(engine)->IsOpen(); }

// Where the job goes that is meant for `engine`; nullopt: nowhere now.
std::optional<Engine> JobDesk::OpenEngine(const ActiveJobRef& job, Engine engine) {
  if (IsOpen(engine)) return engine;
  if (job->plan.spec.placement != Placement::kAuto || !IsOpen(Engine::kInterpreter)) {
    return std::nullopt;
  }
  displaced_.insert(job);
  Explain(job, "The device " + Quoted(DeviceOf(engine)->id()) + " takes no instances now.");
  return Engine::kInterpreter;
}

void JobDesk::AwaitGate(const ActiveJobRef& job, Engine engine) {
  const DeviceStatus status = DeviceOf(engine)->Snapshot();
  gated_.insert(job);
  NoteWait(job, "", DeviceOf(engine));
  job->Tell([&status, id = DeviceOf(engine)->id()](JobProgress& progress) {
    progress.phase = JobPhase::kQueued;
    progress.device = id;
    progress.waiting_for = "the device " + Quoted(id) + ", which is " +
                           std::string(GateName(status.gate)) + " until somebody uncordons it";
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
  for (const auto& [job, built] : meanwhile_) {
    if (built && IsOpen(CompiledEngineFor(*job))) {
      devices_.interpreter->Recall(job);
    }
  }
  std::vector<ActiveJobRef> unsettled;
  for (const auto& [job, course] : courses_) {
    if (job->unsettled) unsettled.push_back(job);
  }
  for (const ActiveJobRef& job : unsettled) Review(job);
}

}  // namespace wb
