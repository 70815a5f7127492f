// DeviceLoop: how much of the device each pipeline's launches fill.

#include <cstdio>
#include <string>
#include <utility>
#include <variant>

#include "scheduler/device_loop.h"
#include "scheduler/quoted.h"

namespace wb {
namespace {

constexpr size_t kMostNames = 4;

std::string CallNames(const JobSpec& spec) {
  std::string names;
  size_t count = 0;
  for (const Step& step : spec.steps) {
    const CallStep* call = std::get_if<CallStep>(&step);
    if (call == nullptr || ++count > kMostNames) continue;
    names += (names.empty() ? "" : ", ") + call->function;
  }
  return Quoted(names + (count > kMostNames ? ", ..." : ""));
}

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
  events_.log("residency: " + CallNames(resident.job()->plan.spec) + " of the module " +
              Quoted(owner.module.Hex()) + " on the device " + Quoted(id_) + ": " +
              WordsOf(*choice, owner.device.processors));
  if (events_.remember) events_.remember(owner, choice->residency);
}

}  // namespace wb
