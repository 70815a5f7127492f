// JobCoordinator: which of the devices of an engine gets a job, and which of several GPUs have it
// together.

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "scheduler/dispatch/job_coordinator.h"

namespace wb {
namespace {

// A GPU that has fewer instances than this part of those that it runs at once has too few to be
// worth another one.
constexpr uint32_t kWorthwhileShare = 4;

}  // namespace

std::vector<DeviceLoop*> JobCoordinator::DevicesOf(Engine engine) const {
  switch (engine) {
    case Engine::kCpu:
      return devices_.cpu == nullptr ? std::vector<DeviceLoop*>() : std::vector{devices_.cpu};
    case Engine::kCuda:
    case Engine::kMetal: return devices_.gpus;  // a machine has GPUs of one engine
    case Engine::kInterpreter: return {devices_.interpreter};
  }
  return {};
}

std::vector<DeviceLoop*> JobCoordinator::AllDevices() const {
  std::vector<DeviceLoop*> all = devices_.gpus;
  if (devices_.cpu != nullptr) all.push_back(devices_.cpu);
  all.push_back(devices_.interpreter);
  return all;
}

DeviceLoop* JobCoordinator::DeviceNamed(const std::string& id) const {
  for (DeviceLoop* device : AllDevices()) {
    if (device->id() == id) return device;
  }
  return devices_.interpreter;
}

bool JobCoordinator::HasFailedOn(const ActiveJobRef& job, DeviceLoop* device) const {
  const auto course = courses_.find(job);
  if (course == courses_.end()) return false;
  const auto stand = course->second.find(device);
  return stand != course->second.end() && stand->second.pipeline == Stand::Pipeline::kFailed;
}

void JobCoordinator::AddGpu(DeviceLoop* gpu) {
  devices_.gpus.push_back(gpu);
  GatesChanged();
}

// The device of the engine to begin on: not one that failed the job, which comes last even behind
// closed ones, or it would be tried again and again; open, well, with few jobs. nullptr: none is
// here.
DeviceLoop* JobCoordinator::Pick(const ActiveJobRef& job, Engine engine) {
  const auto rank = [&](DeviceLoop* device) {
    const DeviceLoop::Standing its = device->Look();
    return std::tuple(HasFailedOn(job, device), !its.open, !its.healthy, its.jobs);
  };
  const std::vector<DeviceLoop*> devices = DevicesOf(engine);
  DeviceLoop* best = nullptr;
  for (DeviceLoop* device : devices) {
    if (best == nullptr || rank(device) < rank(best)) best = device;
  }
  return best;
}

// The open GPUs without the job for which this one's pipeline is as good, itself included.
std::vector<DeviceLoop*> JobCoordinator::Twins(const ActiveJobRef& job, DeviceLoop* device) {
  std::vector<DeviceLoop*> twins;
  const std::string target = device->info().target;
  const std::vector<DeviceLoop*> candidates = CandidatesOf(job);
  for (DeviceLoop* gpu : devices_.gpus) {
    const bool may = std::find(candidates.begin(), candidates.end(), gpu) != candidates.end();
    if (may && !StandOf(job, gpu)->runs && gpu->info().target == target) twins.push_back(gpu);
  }
  return twins;
}

// Of GPUs without the job, those that it is worth to have it, the ones with the fewest jobs first.
// `on`: so many have it already.
std::vector<DeviceLoop*> JobCoordinator::WorthBoarding(const ActiveJobRef& job,
                                                       std::vector<DeviceLoop*> gpus, uint64_t on) {
  if (gpus.empty()) return gpus;
  const auto rank = [](const DeviceLoop* gpu) {
    const DeviceLoop::Standing its = gpu->Look();
    return std::tuple(!its.healthy, its.jobs);
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

// Which devices get it with the pipeline of this one: of several GPUs as many as are worth it.
// None: it is closed.
std::vector<DeviceLoop*> JobCoordinator::BoardedWith(const ActiveJobRef& job, DeviceLoop* device) {
  courses_[job];
  const bool is_gpu =
      std::find(devices_.gpus.begin(), devices_.gpus.end(), device) != devices_.gpus.end();
  if (is_gpu) {
    std::vector<DeviceLoop*> gpus = WorthBoarding(job, Twins(job, device), 0);
    if (!gpus.empty()) return gpus;
  }
  return device->IsOpen() ? std::vector{device} : std::vector<DeviceLoop*>();
}

// A job with many instances that is on a GPU comes to others that are open by now.
void JobCoordinator::Spread(const ActiveJobRef& job) {
  std::vector<DeviceLoop*> on;
  for (DeviceLoop* gpu : devices_.gpus) {
    const Stand& stand = *StandOf(job, gpu);
    if (stand.runs && stand.built) on.push_back(gpu);
  }
  for (DeviceLoop* from : on) {
    const std::vector<DeviceLoop*> gpus = WorthBoarding(job, Twins(job, from), on.size());
    if (!gpus.empty()) return Board(job, gpus, BuiltPipeline(*StandOf(job, from)->built));
  }
}

// After it failed on this device for the device's sake: whether another of the kind is left.
bool JobCoordinator::MayGoToAnother(const ActiveJobRef& job, DeviceLoop* device) {
  courses_[job][device].pipeline = Stand::Pipeline::kFailed;
  const std::vector<DeviceLoop*> same = DevicesOf(device->info().engine);
  return std::any_of(same.begin(), same.end(),
                     [&](DeviceLoop* other) { return !HasFailedOn(job, other); });
}

}  // namespace wb
