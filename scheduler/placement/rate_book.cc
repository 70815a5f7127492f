#include "scheduler/placement/rate_book.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace wb {
namespace {

constexpr double kLeastUseful = 1.0 / (1 << 20);
// Of the last time a device was set up for it, in what is expected of the next.
constexpr double kLastSetup = 0.5;

// What a setup for 16 times as many takes is taken to be twice as long where only that is known.
constexpr double kOfTheNextSize = 0.5;

size_t SizeOf(uint64_t instances) {
  return std::min<size_t>((std::bit_width(std::max<uint64_t>(instances, 1)) - 1) / 4, 7);
}

double InSeconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

std::string RateKind(const std::string& kind, KernelBuild build) {
  return build == KernelBuild::kQuick ? kind + ", quick build" : kind;
}

RateBook::Known& RateBook::KnownOf(const Digest& work, const std::string& kind) {
  const std::pair<Digest, std::string> key(work, kind);
  if (Known* known = known_.Find(key)) return *known;
  known_.Put(key, {}, 1);
  return *known_.Find(key);
}

void RateBook::Record(const Digest& work, const std::string& kind, uint64_t instances,
                      const LaunchSample& sample) {
  const double seconds = InSeconds(sample.busy) * std::clamp(sample.useful, kLeastUseful, 1.0);
  MutexLock lock(mutex_);
  Sums& sums = KnownOf(work, kind).sums[SizeOf(instances)];
  const double kept = std::exp2(-seconds / kHalfLife);
  sums.ran = sums.ran * kept + static_cast<double>(sample.ran);
  sums.fuel = sums.fuel * kept + static_cast<double>(sample.fuel);
  sums.instances = sums.instances * kept + static_cast<double>(sample.instances);
  sums.seconds = sums.seconds * kept + seconds;
}

void RateBook::RecordSetup(const Digest& work, const std::string& kind, uint64_t instances,
                           std::chrono::nanoseconds took) {
  MutexLock lock(mutex_);
  double& setup = KnownOf(work, kind).setups[SizeOf(instances)];
  const double before = setup > 0 ? setup : InSeconds(took);
  setup = before + kLastSetup * (InSeconds(took) - before);
}

// Of that size, else of the next smaller one that is known, else of the next larger one.
double RateBook::SetupFor(const BySize<double>& setups, uint64_t instances) {
  const size_t size = SizeOf(instances);
  for (size_t i = size + 1; i-- > 0;) {
    if (setups[i] > 0) return setups[i];
  }
  for (size_t i = size + 1; i < setups.size(); ++i) {
    if (setups[i] > 0) return setups[i] * std::pow(kOfTheNextSize, i - size);
  }
  return 0;
}

// Of that size, else of the next larger one that is known, else of the next smaller one: lanes of
// which more run are not quicker. nullptr: of none.
const RateBook::Sums* RateBook::SumsFor(const BySize<Sums>& sums, uint64_t instances, Knows knows) {
  const auto is_known = [knows](const Sums& its) { return (its.*knows)(); };
  const auto at = sums.begin() + static_cast<std::ptrdiff_t>(SizeOf(instances));
  const auto larger = std::find_if(at, sums.end(), is_known);
  if (larger != sums.end()) return &*larger;
  const auto smaller = std::find_if(std::make_reverse_iterator(at), sums.rend(), is_known);
  return smaller != sums.rend() ? &*smaller : nullptr;
}

WorkRates RateBook::Find(const Digest& work, const std::string& kind, uint64_t instances,
                         uint64_t waiting) const {
  MutexLock lock(mutex_);
  const Known* known = known_.Find({work, kind});
  if (known == nullptr) return {};
  WorkRates rates;
  rates.setup_s = SetupFor(known->setups, waiting);
  if (const Sums* sums = SumsFor(known->sums, instances, &Sums::HasRate)) {
    rates.fuel_per_s = sums->ran / sums->seconds;
  }
  if (const Sums* sums = SumsFor(known->sums, instances, &Sums::HasLength)) {
    rates.fuel_per_instance = sums->fuel / sums->instances;
  }
  return rates;
}

}  // namespace wb
