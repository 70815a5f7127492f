#include "scheduler/dispatch/quick_builds.h"

namespace wb {
namespace {

std::string NotReady(const QuickChoice& choice) {
  return "the full build is not ready, and " + choice.reason;
}

// Times that a job goes back to the interpreter, so that it does not go to and fro for ever.
constexpr uint32_t kMostReturns = 4;

}  // namespace

// A job that GPUs may join goes to the device, since they join a job only where it has a pipeline.
std::optional<std::string> QuickBuilds::PrefersInterpreter(const ActiveJobRef& job,
                                                           DeviceLoop* device,
                                                           const BuiltPipeline& built) {
  if (!built.pipeline.IsQuick() || !places_.MayWarmUp(job) || places_.MayShare(*job)) {
    return std::nullopt;
  }
  jobs_.PlacementOf(job, device)->built = built;
  const QuickChoice choice = pictures_.CompareQuickBuild(job, device, devices_.interpreter());
  switch (choice.is) {
    case QuickChoice::Is::kQuicker: return std::nullopt;
    case QuickChoice::Is::kSlower: return "It is on the interpreter: " + NotReady(choice);
    case QuickChoice::Is::kUnknown: break;
  }
  // A first launch on each shows which is quicker. The interpreter's comes first.
  const Candidate interpreter = pictures_.CandidateOf(job, devices_.interpreter());
  if (interpreter.rates.fuel_per_s > 0) return std::nullopt;
  return "It starts on the interpreter, since no launch has shown yet whether the quick build is "
         "quicker at this module.";
}

Change QuickBuilds::WhetherToLeave(const ActiveJobRef& job) {
  CoordinatedJob& record = jobs_.At(job);
  if (record.TargetPipeline()->pipeline.IsQuick()) {
    if (places_.MayShare(*job)) return {true, ""};
    const QuickChoice choice =
        pictures_.CompareQuickBuild(job, record.target, devices_.interpreter());
    if (choice.is == QuickChoice::Is::kSlower) return {false, NotReady(choice)};
  }
  return WhetherToChange(pictures_.PictureOf(job, {devices_.interpreter(), record.target}), 0, 1);
}

bool QuickBuilds::IsUnsettled(const ActiveJobRef& job, const BuiltPipeline& built) const {
  if (job->plan.spec.placement != Placement::kAuto || devices_.cpu() == nullptr) return false;
  return places_.MayShare(*job) || (built.pipeline.IsQuick() && places_.MayWarmUp(job));
}

bool QuickBuilds::LeaveIfSlower(const ActiveJobRef& job) {
  DeviceLoop* cpu = devices_.cpu();
  if (cpu == nullptr || !places_.MayWarmUp(job) || places_.MayShare(*job)) return false;
  const PlacementState& placement = *jobs_.PlacementOf(job, cpu);
  if (!placement.runs || !placement.built || !placement.built->pipeline.IsQuick()) return false;
  JobPictures::SetNextReview(*job, pictures_.PictureOf(job, {cpu}));
  if (jobs_.PlacementOf(job, devices_.interpreter())->joins >= kMostReturns) return false;
  const QuickChoice choice = pictures_.CompareQuickBuild(job, cpu, devices_.interpreter());
  if (choice.is != QuickChoice::Is::kSlower) return false;
  cpu->Evict(job);
  return true;
}

}  // namespace wb
