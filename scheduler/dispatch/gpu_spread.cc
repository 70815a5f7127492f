#include "scheduler/dispatch/gpu_spread.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace wb {
namespace {

// A GPU with fewer instances than this part of those that it runs at once is not worth another one.
constexpr uint32_t kWorthwhileShare = 4;

}  // namespace

// The open GPUs without the job that run this one's pipeline, itself included.
std::vector<DeviceLoop*> GpuSpread::SameTargetGpus(const ActiveJobRef& job, DeviceLoop* device) {
  std::vector<DeviceLoop*> same;
  const std::string target = device->info().target;
  const std::vector<DeviceLoop*> candidates = places_.CandidatesOf(job);
  for (DeviceLoop* gpu : devices_.gpus()) {
    const bool may = std::find(candidates.begin(), candidates.end(), gpu) != candidates.end();
    if (!may || jobs_.PlacementOf(job, gpu)->runs) continue;
    if (gpu->info().target == target) same.push_back(gpu);
  }
  return same;
}

// Of GPUs without the job, those that are worth it, the ones with the fewest jobs first. `on`: so
// many have it already.
std::vector<DeviceLoop*> GpuSpread::WorthJoining(const ActiveJobRef& job,
                                                 std::vector<DeviceLoop*> gpus, uint64_t on) {
  if (gpus.empty()) return gpus;
  const auto rank = [](const DeviceLoop* gpu) {
    const DeviceLoop::Standing standing = gpu->Look();
    return std::tuple(!standing.healthy, standing.jobs);
  };
  std::vector<std::pair<std::tuple<bool, uint64_t>, DeviceLoop*>> ranked;
  for (DeviceLoop* gpu : gpus) ranked.emplace_back(rank(gpu), gpu);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  const uint64_t enough = std::max(gpus.front()->info().threads / kWorthwhileShare, 1u);
  const uint64_t worth = std::max<uint64_t>(job->Left().waiting / enough, 1);
  gpus.clear();
  for (const auto& [standing, gpu] : ranked) {
    if (on + gpus.size() < worth) gpus.push_back(gpu);
  }
  return gpus;
}

std::vector<DeviceLoop*> GpuSpread::JoinedWith(const ActiveJobRef& job, DeviceLoop* device) {
  if (devices_.IsGpu(device)) {
    std::vector<DeviceLoop*> gpus = WorthJoining(job, SameTargetGpus(job, device), 0);
    if (!gpus.empty()) return gpus;
  }
  return device->IsOpen() ? std::vector{device} : std::vector<DeviceLoop*>();
}

GpuSpread::Extension GpuSpread::ExtendToGpus(const ActiveJobRef& job) {
  std::vector<DeviceLoop*> on;
  for (DeviceLoop* gpu : devices_.gpus()) {
    const PlacementState& placement = *jobs_.PlacementOf(job, gpu);
    if (placement.runs && placement.built) on.push_back(gpu);
  }
  for (DeviceLoop* from : on) {
    std::vector<DeviceLoop*> gpus = WorthJoining(job, SameTargetGpus(job, from), on.size());
    if (!gpus.empty()) return {std::move(gpus), jobs_.PlacementOf(job, from)->built};
  }
  return {};
}

}  // namespace wb
