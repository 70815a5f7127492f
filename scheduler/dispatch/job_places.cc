#include "scheduler/dispatch/job_places.h"

#include <algorithm>
#include <tuple>

namespace wb {

bool JobPlaces::MayWarmUp(const ActiveJobRef& job) const {
  return start_on_interpreter_ && job->plan.spec.placement == Placement::kAuto &&
         devices_.IsOpen(DeviceClass::kInterpreter);
}

bool JobPlaces::HasFailedOn(const ActiveJobRef& job, DeviceLoop* device) const {
  const PlacementState* placement = jobs_.PlacementOf(job, device);
  return placement != nullptr && placement->pipeline == PlacementState::Pipeline::kFailed;
}

bool JobPlaces::HasOpenGpu(const ActiveJobRef& job) const {
  return std::any_of(devices_.gpus().begin(), devices_.gpus().end(),
                     [&](DeviceLoop* gpu) { return gpu->IsOpen() && !HasFailedOn(job, gpu); });
}

DeviceClass JobPlaces::CompiledClassOf(const ActiveJobRef& job) const {
  const Placement wanted = job->plan.spec.placement;
  const DeviceLoop* cpu = devices_.cpu();
  const bool on_gpu = cpu == nullptr ? !devices_.gpus().empty() : !cpu->IsOpen() && HasOpenGpu(job);
  return wanted == Placement::kAuto && on_gpu ? DeviceClass::kGpu : CompiledClass(wanted);
}

bool JobPlaces::IsMeantFor(const ActiveJobRef& job, const DeviceLoop* device) const {
  const std::vector<DeviceLoop*> devices = devices_.Of(CompiledClassOf(job));
  return std::find(devices.begin(), devices.end(), device) != devices.end();
}

bool JobPlaces::StandsIn(const ActiveJobRef& job, const DeviceLoop* device) const {
  const DeviceLoop* cpu = devices_.cpu();
  return MayWarmUp(job) && cpu != nullptr && !cpu->IsOpen() && devices_.IsGpu(device);
}

DeviceLoop* JobPlaces::Pick(const ActiveJobRef& job, DeviceClass device_class) const {
  const auto rank = [&](DeviceLoop* device) {
    const DeviceLoop::Standing standing = device->Look();
    return std::tuple(HasFailedOn(job, device), !standing.open, !standing.healthy, standing.jobs);
  };
  DeviceLoop* best = nullptr;
  for (DeviceLoop* device : devices_.Of(device_class)) {
    if (best == nullptr || rank(device) < rank(best)) best = device;
  }
  return best;
}

std::vector<DeviceLoop*> JobPlaces::SharersOf(const ActiveJob& job) const {
  const Placement wanted = job.plan.spec.placement;
  if (!job.avoids.empty()) return {};
  // A session's states go in and out of a GPU's memory in each call: it runs there where it says
  // so.
  if (wanted == Placement::kAuto && job.plan.spec.residents != nullptr) return {};
  std::vector<DeviceLoop*> sharers;
  if (wanted == Placement::kAuto && devices_.cpu() != nullptr) sharers.push_back(devices_.cpu());
  if (wanted == Placement::kAuto || wanted == Placement::kGpu) {
    sharers.insert(sharers.end(), devices_.gpus().begin(), devices_.gpus().end());
  }
  return sharers;
}

bool JobPlaces::CouldGet(const ActiveJobRef& job, DeviceLoop* device) const {
  return !HasFailedOn(job, device) && jobs_.PlacementOf(job, device)->joins < kMostJoins &&
         device->IsOpen();
}

bool JobPlaces::HasQuickBuild(const ActiveJobRef& job) const {
  if (devices_.cpu() == nullptr) return false;
  const auto& built = jobs_.PlacementOf(job, devices_.cpu())->built;
  return built && built->pipeline.IsQuick();
}

bool JobPlaces::IsCandidate(const ActiveJobRef& job, DeviceLoop* device) const {
  const auto runs_on = [&](DeviceLoop* which) { return jobs_.PlacementOf(job, which)->runs; };
  DeviceLoop* cpu = devices_.cpu();
  DeviceLoop* interpreter = devices_.interpreter();
  if (runs_on(device)) return true;
  if (device == cpu && runs_on(interpreter)) return false;
  if (device != interpreter) return CouldGet(job, device);
  const bool may_stand_in = HasQuickBuild(job) && !runs_on(cpu) && CouldGet(job, cpu);
  return may_stand_in && MayWarmUp(job) && CouldGet(job, interpreter);
}

std::vector<DeviceLoop*> JobPlaces::CandidatesOf(const ActiveJobRef& job) const {
  std::vector<DeviceLoop*> candidates = SharersOf(*job);
  if (candidates.size() > 1) candidates.push_back(devices_.interpreter());
  std::erase_if(candidates, [&](DeviceLoop* device) { return !IsCandidate(job, device); });
  return candidates;
}

bool JobPlaces::MayGoToAnother(const ActiveJobRef& job, DeviceLoop* device) {
  jobs_.PlacementOf(job, device)->pipeline = PlacementState::Pipeline::kFailed;
  const std::vector<DeviceLoop*> same = devices_.Of(devices_.ClassOf(device));
  return std::any_of(same.begin(), same.end(),
                     [&](DeviceLoop* other) { return !HasFailedOn(job, other); });
}

}  // namespace wb
