#include "scheduler/devices/metal/slices.h"

#include <algorithm>

#include "scheduler/sensors/thermal_state.h"

namespace wb {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr milliseconds kBesideADisplay{20};
constexpr milliseconds kHeadless{50};
constexpr milliseconds kSpared{10};  // hot, or saving power
constexpr uint64_t kLeastFuel = 256;
constexpr uint64_t kMostFuel = uint64_t{1} << 40;
constexpr double kMostGrowth = 8;

}  // namespace

SlicePolicy ChooseSlicePolicy(const MetalConditions& conditions, nanoseconds wanted) {
  SlicePolicy policy;
  policy.slice = conditions.headless ? kHeadless : kBesideADisplay;
  if (wanted.count() > 0) policy.slice = wanted;
  const auto state = static_cast<uint64_t>(std::max<int64_t>(conditions.thermal_state, 0));
  const uint32_t rests =
      std::max(ThermalStateOf(state).slice_rests, conditions.low_power_mode ? 1U : 0U);
  if (rests == 0) return policy;
  policy.slice = std::min<nanoseconds>(policy.slice, kSpared);
  policy.in_flight = 1;
  policy.rest = rests * policy.slice;
  return policy;
}

void SliceAim::Record(uint64_t fuel, nanoseconds took, nanoseconds wanted) {
  const double ratio =
      static_cast<double>(wanted.count()) / static_cast<double>(std::max<int64_t>(took.count(), 1));
  const double next = static_cast<double>(fuel) * std::min(ratio, kMostGrowth);
  fuel_ = std::clamp(static_cast<uint64_t>(std::min(next, 1e15)), kLeastFuel, kMostFuel);
}

}  // namespace wb
