// JobDesk: which of the devices of an engine gets a job, and which of several GPUs have it
// together.

#include <algorithm>
#include <tuple>
#include <vector>

#include "scheduler/job_desk.h"

namespace wb {

std::vector<DeviceLoop*> JobDesk::DevicesOf(Engine engine) const {
  switch (engine) {
    case Engine::kCpu:
      return devices_.cpu == nullptr ? std::vector<DeviceLoop*>() : std::vector{devices_.cpu};
    case Engine::kCuda:
    case Engine::kMetal: return devices_.gpus;  // a machine has GPUs of one engine
    case Engine::kInterpreter: return {devices_.interpreter};
  }
  return {};
}

std::vector<DeviceLoop*> JobDesk::AllDevices() const {
  std::vector<DeviceLoop*> all = devices_.gpus;
  if (devices_.cpu != nullptr) all.push_back(devices_.cpu);
  all.push_back(devices_.interpreter);
  return all;
}

DeviceLoop* JobDesk::DeviceNamed(const std::string& id) const {
  for (DeviceLoop* device : AllDevices()) {
    if (device->id() == id) return device;
  }
  return devices_.interpreter;
}

bool JobDesk::HasFailedOn(const ActiveJobRef& job, DeviceLoop* device) const {
  const auto course = courses_.find(job);
  if (course == courses_.end()) return false;
  const auto stand = course->second.find(device);
  return stand != course->second.end() && stand->second.pipeline == Stand::Pipeline::kFailed;
}

// The device of the engine to begin on: not one that failed the job, which comes last even behind
// closed ones, or it would be tried again and again; open, well, with few jobs. nullptr: none is
// here.
DeviceLoop* JobDesk::Pick(const ActiveJobRef& job, Engine engine) {
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
std::vector<DeviceLoop*> JobDesk::Twins(const ActiveJobRef& job, DeviceLoop* device) {
  std::vector<DeviceLoop*> twins;
  const std::string target = device->info().target;
  const std::vector<DeviceLoop*> candidates = CandidatesOf(job);
  for (DeviceLoop* gpu : devices_.gpus) {
    const bool may = std::find(candidates.begin(), candidates.end(), gpu) != candidates.end();
    if (may && !StandOf(job, gpu)->runs && gpu->info().target == target) twins.push_back(gpu);
  }
  return twins;
}

// Which devices get it with the pipeline of this one: of several GPUs all, if more instances wait
// than one of them runs at once, else the best. None: it is closed.
std::vector<DeviceLoop*> JobDesk::BoardedWith(const ActiveJobRef& job, DeviceLoop* device) {
  courses_[job];
  const bool is_gpu =
      std::find(devices_.gpus.begin(), devices_.gpus.end(), device) != devices_.gpus.end();
  std::vector<DeviceLoop*> twins = is_gpu ? Twins(job, device) : std::vector<DeviceLoop*>();
  if (twins.size() > 1 && job->Left().waiting > device->info().threads) return twins;
  if (twins.size() > 1) {
    const auto rank = [](const DeviceLoop* gpu) {
      const DeviceLoop::Standing its = gpu->Look();
      return std::tuple(!its.healthy, its.jobs);
    };
    return {*std::min_element(twins.begin(), twins.end(),
                              [&](auto* a, auto* b) { return rank(a) < rank(b); })};
  }
  if (twins.size() == 1) return twins;
  return device->IsOpen() ? std::vector{device} : std::vector<DeviceLoop*>();
}

// A job with many instances that is on a GPU comes to the others that are open by now.
void JobDesk::Spread(const ActiveJobRef& job) {
  for (DeviceLoop* gpu : devices_.gpus) {
    const Stand& stand = *StandOf(job, gpu);
    if (!stand.runs || !stand.built) continue;
    const std::vector<DeviceLoop*> twins = Twins(job, gpu);
    if (twins.empty() || job->Left().waiting <= gpu->info().threads) continue;
    return Board(job, twins, BuiltPipeline(*stand.built));
  }
}

// After it failed on this device for the device's sake: whether another of the kind is left.
bool JobDesk::MayGoToAnother(const ActiveJobRef& job, DeviceLoop* device) {
  courses_[job][device].pipeline = Stand::Pipeline::kFailed;
  const std::vector<DeviceLoop*> same = DevicesOf(device->info().engine);
  return std::any_of(same.begin(), same.end(),
                     [&](DeviceLoop* other) { return !HasFailedOn(job, other); });
}

}  // namespace wb
