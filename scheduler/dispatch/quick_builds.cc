#include "scheduler/dispatch/quick_builds.h"

namespace wb {
namespace {

std::string NotReady(const QuickChoice& choice) {
  return "the full build is not ready, and " + choice.reason;
}

}  // namespace

std::optional<std::string> QuickBuilds::PrefersInterpreter(const ActiveJobRef& job,
                                                           DeviceLoop* device,
                                                           const BuiltPipeline& built) {
  if (device != devices_.cpu()) return std::nullopt;  // a GPU's is nearly as quick as its full one
  if (!built.pipeline.IsQuick() || !places_.MayWarmUp(job)) return std::nullopt;
  jobs_.At(job).SetReady(device, built);
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

bool QuickBuilds::IsInterpreterQuicker(const ActiveJobRef& job) const {
  DeviceLoop* interpreter = devices_.interpreter();
  if (!places_.HasQuickBuild(job) || !places_.MayWarmUp(job)) return false;
  if (!places_.CouldGet(job, interpreter)) return false;
  return pictures_.CompareQuickBuild(job, devices_.cpu(), interpreter).is ==
         QuickChoice::Is::kSlower;
}

Change QuickBuilds::WhetherToLeave(const ActiveJobRef& job) {
  CoordinatedJob& record = jobs_.At(job);
  if (record.target == devices_.cpu() && record.TargetPipeline()->pipeline.IsQuick()) {
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

bool QuickBuilds::IsOnSlowerBuild(const ActiveJobRef& job) {
  if (!places_.HasQuickBuild(job) || !places_.MayWarmUp(job)) return false;
  DeviceLoop* cpu = devices_.cpu();
  if (!jobs_.PlacementOf(job, cpu)->runs) return false;
  JobPictures::SetNextReview(*job, pictures_.PictureOf(job, {cpu}));
  return IsInterpreterQuicker(job);
}

}  // namespace wb
