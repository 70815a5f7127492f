#include "scheduler/placement/rate_book.h"

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

constexpr double kLeastUseful = 1.0 / (1 << 20);
// Of the last time a device was set up for it, in what is expected of the next.
constexpr double kLastSetup = 0.5;

double Seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

RateBook::Sums& RateBook::SumsOf(const Digest& work, const std::string& kind) {
  const std::pair<Digest, std::string> key(work, kind);
  if (Sums* sums = known_.Find(key)) return *sums;
  known_.Put(key, {}, 1);
  return *known_.Find(key);
}

void RateBook::Note(const Digest& work, const std::string& kind, const LaunchSample& sample) {
  const double seconds = Seconds(sample.busy) * std::clamp(sample.useful, kLeastUseful, 1.0);
  MutexLock lock(mutex_);
  Sums& sums = SumsOf(work, kind);
  const double kept = std::exp2(-seconds / kHalfLife);
  sums.fuel = sums.fuel * kept + static_cast<double>(sample.fuel);
  sums.instances = sums.instances * kept + static_cast<double>(sample.instances);
  sums.seconds = sums.seconds * kept + seconds;
}

void RateBook::NoteSetup(const Digest& work, const std::string& kind,
                         std::chrono::nanoseconds took) {
  MutexLock lock(mutex_);
  Sums& sums = SumsOf(work, kind);
  const double before = sums.setup_s > 0 ? sums.setup_s : Seconds(took);
  sums.setup_s = before + kLastSetup * (Seconds(took) - before);
}

WorkRates RateBook::Find(const Digest& work, const std::string& kind) const {
  MutexLock lock(mutex_);
  const Sums* sums = known_.Find({work, kind});
  if (sums == nullptr) return {};
  WorkRates rates;
  rates.setup_s = sums->setup_s;
  if (sums->instances <= 0 || sums->seconds <= 0) return rates;
  rates.fuel_per_s = sums->fuel / sums->seconds;
  rates.fuel_per_instance = sums->fuel / sums->instances;
  return rates;
}

}  // namespace wb
