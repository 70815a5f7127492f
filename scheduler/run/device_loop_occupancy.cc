// DeviceLoop: how much of the device each pipeline's launches fill.

#include <cstdio>
#include <string>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/run/device_loop.h"

namespace wb {
namespace {

std::string WordsOf(const OccupancyChoice& choice, uint32_t processors) {
  const auto& [lanes, block_threads] = choice.occupancy;
  if (choice.occupancy == Occupancy()) return "all lanes, no other number is faster.";
  std::string words = lanes == 0 ? "all" : Quoted(uint64_t{lanes / processors});
  words += " lanes a processor";
  if (block_threads != 0) words += " in blocks of " + Quoted(uint64_t{block_threads});
  char gain[32];
  std::snprintf(gain, sizeof gain, "%.2f", choice.gain);
  return words + ", " + Quoted(gain) + " times as fast as all in the usual blocks.";
}

}  // namespace

OccupancyOwner DeviceLoop::OwnerOf(const DeviceJob& resident) const {
  const JobSpec& spec = resident.job()->plan.spec;
  return {resident.state().prepared.key, spec.module->digest(), CallsOf(spec), device_->info()};
}

// Outlives the jobs, as what is known of their launches' times. nullptr: nothing is to be chosen.
std::shared_ptr<OccupancyTuner> DeviceLoop::TunerOf(const DeviceJob& resident) {
  const DeviceInfo& info = device_->info();
  if (!settings_.tunes_occupancy || info.processors == 0) return nullptr;
  const OccupancyOwner owner = OwnerOf(resident);
  const std::pair key(owner.pipeline, owner.calls);
  if (const auto* known = tuners_.Find(key)) return *known;
  auto tuner = std::make_shared<OccupancyTuner>(info.processors, info.threads);
  if (events_.find_occupancy) {
    if (const auto found = events_.find_occupancy(owner)) tuner->Adopt(*found);
  }
  tuners_.Put(key, tuner, 1);
  return tuner;
}

void DeviceLoop::RecordOccupancy(DeviceJob& resident) {
  const std::optional<OccupancyChoice> choice = resident.own().TakeOccupancy();
  if (!choice) return;
  const OccupancyOwner owner = OwnerOf(resident);
  // Names of functions are the guest's, and not for the log.
  events_.log("residency: the module " + Quoted(owner.module.Hex()) + ", called as in job " +
              Quoted(resident.job()->id) + ", on the device " + Quoted(id_) + ": " +
              WordsOf(*choice, owner.device.processors));
  if (events_.remember_occupancy) events_.remember_occupancy(owner, choice->occupancy);
}

}  // namespace wb
