#include "scheduler/control/occupancy_trial.h"

#include <algorithm>

namespace wb {

OccupancyTrial::Verdict OccupancyTrial::Add(const OccupancyLaunch& launch, bool is_steady) {
  if (is_steady) tally_.Add(launch);
  const bool begins = launch.full && !is_steady;  // as is usual
  const bool is_fit = launch.full && tally_.IsLong();
  if (!begins && !is_fit) ++unfit_;
  const uint32_t most = plan_.most_unfit * plan_.abreast;
  if (++noted_ - tally_.launches() >= most || unfit_ >= most) return Verdict::kShowsNothing;
  const bool is_shown = !begins && is_fit && IsEnough();
  return is_shown ? Verdict::kShown : Verdict::kGoesOn;
}

bool OccupancyTrial::IsEnough() const {
  const bool is_hopeless =
      tally_.launches() >= plan_.abreast && tally_.highest() < plan_.best_rate * kHopeless;
  const uint32_t wanted = (tally_.IsSure() ? kLaunches : kMost) * plan_.abreast;
  return is_hopeless || tally_.launches() >= wanted;
}

std::chrono::nanoseconds OccupancyTrial::longest() const {
  return plan_.time * (1 + unfit_ / plan_.abreast) * kLaunches / std::max(kLaunches, plan_.abreast);
}

}  // namespace wb
