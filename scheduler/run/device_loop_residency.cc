// DeviceLoop: how much of the device each pipeline's launches fill.

#include <cstdio>
#include <string>
#include <utility>

#include "scheduler/run/device_loop.h"
#include "scheduler/job/job_plan.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

std::string WordsOf(const ResidencyChoice& choice, uint32_t processors) {
  const auto& [lanes, block_threads] = choice.residency;
  if (choice.residency == Residency()) return "all lanes, no other number is faster.";
  std::string words = lanes == 0 ? "all" : Quoted(uint64_t{lanes / processors});
  words += " lanes a processor";
  if (block_threads != 0) words += " in blocks of " + Quoted(uint64_t{block_threads});
  char gain[32];
  std::snprintf(gain, sizeof gain, "%.2f", choice.gain);
  return words + ", " + Quoted(gain) + " times as fast as all in the usual blocks.";
}

}  // namespace

ResidencyOwner DeviceLoop::OwnerOf(const ResidentJob& resident) const {
  const JobSpec& spec = resident.job()->plan.spec;
  return {resident.prepared().key, spec.module->digest(), CallsOf(spec), device_->info()};
}

// Outlives the jobs, as what is known of their launches' times. nullptr: nothing is to be chosen.
std::shared_ptr<ResidencyTuner> DeviceLoop::TunerOf(const ResidentJob& resident) {
  const DeviceInfo& info = device_->info();
  if (!settings_.tunes_residency || info.processors == 0) return nullptr;
  const ResidencyOwner owner = OwnerOf(resident);
  const std::pair key(owner.pipeline, owner.calls);
  if (const auto* known = tuners_.Find(key)) return *known;
  auto tuner = std::make_shared<ResidencyTuner>(info.processors, info.threads);
  if (events_.recall) {
    if (const auto found = events_.recall(owner)) tuner->Adopt(*found);
  }
  tuners_.Put(key, tuner, 1);
  return tuner;
}

void DeviceLoop::NoteResidency(ResidentJob& resident) {
  const std::optional<ResidencyChoice> choice = resident.TakeResidency();
  if (!choice) return;
  const ResidencyOwner owner = OwnerOf(resident);
  // Names of functions are the guest's, and not for the log.
  events_.log("residency: the module " + Quoted(owner.module.Hex()) + ", called as in job " +
              Quoted(resident.job()->id) + ", on the device " + Quoted(id_) + ": " +
              WordsOf(*choice, owner.device.processors));
  if (events_.remember) events_.remember(owner, choice->residency);
}

}  // namespace wb
