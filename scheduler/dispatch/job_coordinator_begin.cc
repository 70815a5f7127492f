// JobCoordinator: jobs of which it is known how long they are and how fast each device is at them.
// Such a job begins without the CPU device where that would not end it clearly sooner: what sat
// there would have to end, or to move, before the job does.

#include <algorithm>
#include <utility>
#include <vector>

#include "scheduler/dispatch/job_coordinator.h"

namespace wb {

// How long an instance of the next such job will be taken to be. Of a job that did not end by
// itself the short ones have ended.
void JobCoordinator::RecordLength(const ActiveJob& job) {
  const ActiveJob::Extent its = job.Left();
  if (its.is_whole && its.fuel_per_instance > 0) {
    lengths_.Put(job.plan.task, its.fuel_per_instance, 1);
  }
}

double JobCoordinator::LengthOf(const ActiveJob& job) {
  const double* known = lengths_.Find(job.plan.task);
  return known != nullptr ? *known : 0;
}

// The GPU that it begins on; nullptr: the CPU device. Rates say nothing of a GPU that others use.
DeviceLoop* JobCoordinator::BeginsOn(const ActiveJobRef& job) {
  if (job->plan.spec.placement != Placement::kAuto || LengthOf(*job) == 0) return nullptr;
  courses_[job];
  std::vector<DeviceLoop*> devices{devices_.cpu};
  for (DeviceLoop* device : CandidatesOf(job)) {
    const DeviceLoop::Standing its = device->Look();
    const bool has_it = StandOf(job, device)->pipeline != Stand::Pipeline::kAbsent;
    if (device != devices_.cpu && its.healthy && its.jobs == 0 && has_it) devices.push_back(device);
  }
  const JobPicture picture = PictureOf(job, devices);
  const bool is_known =
      std::all_of(picture.candidates.begin(), picture.candidates.end(),
                  [](const Candidate& candidate) { return candidate.rates.fuel_per_s > 0; });
  if (devices.size() < 2 || !is_known || IsWorthBeginning(picture, 0)) return nullptr;
  return devices[1];
}

// False: it begins on the CPU device, for which it has that pipeline. Else it comes back here when
// the GPU's pipeline was found, or is on its way.
bool JobCoordinator::BeginsElsewhere(const ActiveJobRef& job, DeviceLoop* device,
                                     const BuiltPipeline& built) {
  if (device != devices_.cpu || device == nullptr || displaced_.count(job) > 0) return false;
  DeviceLoop* gpu = BeginsOn(job);
  if (gpu == nullptr) return false;
  Stand& here = *StandOf(job, device);
  here.pipeline = Stand::Pipeline::kReady;
  here.built = built;
  const Stand& there = *StandOf(job, gpu);
  if (there.pipeline == Stand::Pipeline::kReady) {
    Explain(job, gpu->id() + " begins alone, " + device->id() + " would not end it sooner (" +
                     WordsOf(PictureOf(job, {device, gpu})) + ").");
    HandOver(job, gpu, *there.built);
    return true;
  }
  begins_[job] = device;
  if (there.pipeline == Stand::Pipeline::kUnknown) Look(job, gpu);
  return true;
}

// Its pipeline for the GPU was found, or is not to be had.
void JobCoordinator::GoOnBeginning(const ActiveJobRef& job) {
  const auto begins = begins_.find(job);
  if (begins == begins_.end()) return;
  DeviceLoop* device = begins->second;
  begins_.erase(begins);
  HandOver(job, device, BuiltPipeline(*StandOf(job, device)->built));
}

}  // namespace wb
