#include "scheduler/placement/rate_book.h"

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

constexpr double kLeastUseful = 1.0 / (1 << 20);
// Of the last time a device was set up for the module, in what is expected of the next.
constexpr double kLastSetup = 0.5;

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

RateBook::Sums& RateBook::SumsOf(const Digest& module, const std::string& kind) {
  const std::pair<Digest, std::string> key(module, kind);
  if (Sums* sums = known_.Find(key)) return *sums;
  known_.Put(key, {}, 1);
  return *known_.Find(key);
}

void RateBook::Note(const Digest& module, const std::string& kind, const LaunchSample& sample) {
  const double seconds = Seconds(sample.busy) * std::clamp(sample.useful, kLeastUseful, 1.0);
  MutexLock lock(mutex_);
  Sums& sums = SumsOf(module, kind);
  const double kept = std::exp2(-seconds / kHalfLife);
  sums.fuel = sums.fuel * kept + static_cast<double>(sample.fuel);
  sums.instances = sums.instances * kept + static_cast<double>(sample.instances);
  sums.seconds = sums.seconds * kept + seconds;
}

void RateBook::NoteSetup(const Digest& module, const std::string& kind,
                         std::chrono::nanoseconds took) {
  MutexLock lock(mutex_);
  Sums& sums = SumsOf(module, kind);
  const double before = sums.setup_s > 0 ? sums.setup_s : Seconds(took);
  sums.setup_s = before + kLastSetup * (Seconds(took) - before);
}

ModuleRates RateBook::Find(const Digest& module, const std::string& kind) const {
  MutexLock lock(mutex_);
  const Sums* sums = known_.Find({module, kind});
  if (sums == nullptr) return {};
  ModuleRates rates;
  rates.setup_s = sums->setup_s;
  if (sums->instances <= 0 || sums->seconds <= 0) return rates;
  rates.fuel_per_s = sums->fuel / sums->seconds;
  rates.fuel_per_instance = sums->fuel / sums->instances;
  return rates;
}

}  // namespace wb
