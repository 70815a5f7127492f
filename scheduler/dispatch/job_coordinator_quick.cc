// JobCoordinator: jobs whose module has a quick build and not yet the full one. Which of the quick
// build and the interpreter is quicker at it is seen by launches of this very module
// (placement/build_choice.h); a job that may run anywhere is there until the full build is ready.

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/dispatch/job_coordinator.h"

namespace wb {
namespace {

std::string NotReady(const QuickChoice& choice) {
  return "the full build is not ready, and " + choice.reason;
}

// To the interpreter, so that nothing goes to and fro for ever.
constexpr uint32_t kMostReturns = 4;

}  // namespace

void JobCoordinator::RecordBuilt(const ActiveJobRef& job, const Result<BuiltPipeline>& built) {
  if (!built.ok() || built->pipeline.build == KernelBuild::kInterpreted) return;
  job->Record([&built](JobProgress& progress) {
    JobUsage& usage = progress.usage;
    (built->pipeline.IsQuick() ? usage.quick_compile_time : usage.full_compile_time) += built->time;
  });
}

QuickChoice JobCoordinator::QuickChoiceOf(const ActiveJobRef& job, DeviceLoop* device) {
  courses_[job];
  const JobPicture picture = PictureOf(job, {device, devices_.interpreter});
  return CompareQuick(picture.candidates[0], picture.candidates[1]);
}

// Before it is handed over to a device that has the quick build: why it goes to the interpreter
// instead. Where GPUs may join it, it goes to the device, or they could not.
std::optional<std::string> JobCoordinator::PrefersInterpreter(const ActiveJobRef& job,
                                                              DeviceLoop* device,
                                                              const BuiltPipeline& built) {
  if (!built.pipeline.IsQuick() || !MayStartMeanwhile(job) || MayShare(*job)) return std::nullopt;
  courses_[job][device].built = built;
  const QuickChoice choice = QuickChoiceOf(job, device);
  switch (choice.is) {
    case QuickChoice::Is::kQuicker: return std::nullopt;
    case QuickChoice::Is::kSlower: return "It is on the interpreter: " + NotReady(choice);
    case QuickChoice::Is::kUnknown: break;
  }
  // A first launch on each shows which is quicker. The interpreter's comes first.
  const Candidate interpreter =
      CandidateOf(job, *devices_.interpreter, *StandOf(job, devices_.interpreter));
  if (interpreter.rates.fuel_per_s > 0) return std::nullopt;
  return "It starts on the interpreter, since no launch has shown yet whether the quick build is "
         "quicker at this module.";
}

// Whether it leaves the interpreter for the pipeline that it has by now.
Change JobCoordinator::ChangeOf(const ActiveJobRef& job, const Meanwhile& its) {
  if (its.built->pipeline.IsQuick()) {
    // Other devices join a job only where it has a pipeline.
    if (MayShare(*job)) return {true, ""};
    const QuickChoice choice = QuickChoiceOf(job, its.device);
    if (choice.is == QuickChoice::Is::kSlower) return {false, NotReady(choice)};
  }
  return WhetherToChange(PictureOf(job, {devices_.interpreter, its.device}), 0, 1);
}

// It has to be looked at after launches.
bool JobCoordinator::IsUnsettled(const ActiveJobRef& job, const BuiltPipeline& built) const {
  if (job->plan.spec.placement != Placement::kAuto || devices_.cpu == nullptr) return false;
  return MayShare(*job) || (built.pipeline.IsQuick() && MayStartMeanwhile(job));
}

// True: it is on its way to the interpreter, which launches have shown to be quicker.
bool JobCoordinator::LeavesQuick(const ActiveJobRef& job) {
  if (devices_.cpu == nullptr || !MayStartMeanwhile(job) || MayShare(*job)) return false;
  const Stand& stand = *StandOf(job, devices_.cpu);
  if (!stand.runs || !stand.built || !stand.built->pipeline.IsQuick()) return false;
  SetNextLook(*job, PictureOf(job, {devices_.cpu}));
  if (StandOf(job, devices_.interpreter)->joins >= kMostReturns) return false;
  if (QuickChoiceOf(job, devices_.cpu).is != QuickChoice::Is::kSlower) return false;
  devices_.cpu->Evict(job);
  return true;
}

// The full build of a job that has the quick one: it goes on there at once, wherever it is.
void JobCoordinator::TakeBetter(const ActiveJobRef& job, DeviceLoop* device,
                                const BuiltPipeline& better) {
  Stand* stand = StandOf(job, device);
  if (stand == nullptr) return;                                   // it has ended
  if (stand->built && !stand->built->pipeline.IsQuick()) return;  // it waited for it twice
  stand->built = better;
  RecordBuilt(job, better);
  if (Holds(job)) return;
  if (meanwhile_.count(job) > 0) return OnBuiltMeanwhile(job, device, better);
  job->unsettled = IsUnsettled(job, better);
  for (DeviceLoop* each : AllDevices()) each->SwapPipeline(job, better.pipeline);
}

}  // namespace wb
