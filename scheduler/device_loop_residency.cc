// DeviceLoop: how much of the device each pipeline's launches fill.

#include <cstdio>
#include <utility>

#include "scheduler/device_loop.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

std::string GainOf(double gain) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", gain);
  return text;
}

}  // namespace

ResidencyOwner DeviceLoop::OwnerOf(const PreparedPipeline& prepared) const {
  return {prepared.key, prepared.module->program.module->digest(), device_->info()};
}

// Outlives the jobs, as what is known of their launches' times. nullptr: nothing is to be chosen.
std::shared_ptr<ResidencyTuner> DeviceLoop::TunerOf(const PreparedPipeline& prepared) {
  const DeviceInfo& info = device_->info();
  if (!settings_.tunes_residency || info.processors == 0) return nullptr;
  if (const auto* known = tuners_.Find(prepared.key)) return *known;
  auto tuner = std::make_shared<ResidencyTuner>(info.processors, info.threads);
  if (events_.recall) {
    if (const auto found = events_.recall(OwnerOf(prepared))) tuner->Adopt(*found);
  }
  tuners_.Put(prepared.key, tuner, 1);
  return tuner;
}

void DeviceLoop::NoteResidency(ResidentJob& resident) {
  const std::optional<ResidencyChoice> choice = resident.TakeResidency();
  if (!choice) return;
  const ResidencyOwner owner = OwnerOf(resident.prepared());
  const auto& [lanes, block_threads] = choice->residency;
  const uint32_t each = (lanes != 0 ? lanes : owner.device.threads) / owner.device.processors;
  events_.log("residency: the module " + Quoted(owner.module.Hex()) + " runs on the device " +
              Quoted(id_) + " with " + (lanes != 0 ? Quoted(uint64_t{each}) : "all") +
              " lanes a processor" +
              (block_threads != 0 ? ", in blocks of " + Quoted(uint64_t{block_threads}) : "") +
              ", " + Quoted(GainOf(choice->gain)) + " times as fast as with all of them.");
  if (events_.remember) events_.remember(owner, choice->residency);
}

}  // namespace wb
