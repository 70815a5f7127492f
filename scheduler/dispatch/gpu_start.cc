#include "scheduler/dispatch/gpu_start.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wb {

// Rates say nothing of a GPU that other jobs use.
DeviceLoop* GpuStart::BestGpu(const ActiveJobRef& job) {
  if (job->plan.spec.placement != Placement::kAuto) return nullptr;
  if (parts_.pictures.LengthOf(*job) == 0) return nullptr;
  std::vector<DeviceLoop*> devices{parts_.devices.cpu()};
  for (DeviceLoop* device : parts_.places.CandidatesOf(job)) {
    const DeviceLoop::Standing standing = device->Look();
    const bool has_pipeline =
        parts_.jobs.PlacementOf(job, device)->pipeline != PlacementState::Pipeline::kAbsent;
    const bool is_free = standing.healthy && standing.jobs == 0;
    if (parts_.devices.IsGpu(device) && is_free && has_pipeline) devices.push_back(device);
  }
  const JobPicture picture = parts_.pictures.PictureOf(job, devices);
  const bool is_known =
      std::all_of(picture.candidates.begin(), picture.candidates.end(),
                  [](const Candidate& candidate) { return candidate.rates.fuel_per_s > 0; });
  if (devices.size() < 2 || !is_known || IsWorthBeginning(picture, 0)) return nullptr;
  return devices[1];
}

bool GpuStart::Begins(const ActiveJobRef& job, DeviceLoop* device, const BuiltPipeline& built) {
  CoordinatedJob& record = parts_.jobs.At(job);
  if (device != parts_.devices.cpu() || device == nullptr || record.is_displaced) return false;
  record.SetReady(device, built);
  DeviceLoop* gpu = BestGpu(job);
  if (gpu == nullptr) return false;
  const PlacementState& there = record.placements[gpu];
  if (there.pipeline == PlacementState::Pipeline::kReady) {
    ExplainPlacement(*job, gpu->id() + " begins alone, " + device->id() +
                               " would not end it sooner (" +
                               WordsOf(parts_.pictures.PictureOf(job, {device, gpu})) + ").");
    moves_.HandOver(job, gpu, BuiltPipeline(*there.built));
    return true;
  }
  parts_.jobs.Advance(job, JobEvent::kNeedsGpu);
  record.target = device;
  const bool is_unknown = there.pipeline == PlacementState::Pipeline::kUnknown;
  if (is_unknown) parts_.rebalance.ProbePipeline(job, gpu);
  return true;
}

void GpuStart::EndProbe(const ActiveJobRef& job) {
  CoordinatedJob& record = parts_.jobs.At(job);
  DeviceLoop* device = std::exchange(record.target, nullptr);
  moves_.Place(job, device, BuiltPipeline(*record.placements[device].built));
}

}  // namespace wb
