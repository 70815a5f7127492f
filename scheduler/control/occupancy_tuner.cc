#include "scheduler/control/occupancy_tuner.h"

#include <algorithm>
#include <utility>

namespace wb {

OccupancyTuner::Wish OccupancyTuner::Next(uint32_t lanes, uint32_t abreast) const {
  abreast = std::max(abreast, 1u);
  const bool tries = explores() && space_.IsLike(lanes, abreast);
  Wish wish;
  wish.round = round_;
  if (tries) wish.longest = trial_.longest();
  wish.occupancy = space_.PartOf(tries ? trial_.occupancy() : settled_, lanes, abreast);
  return wish;
}

void OccupancyTuner::BeginDispatch(uint32_t lanes, uint32_t abreast) {
  const bool has_settled = is_settled_ && !search_.lanes_stay();
  if (!search_.instances_are_long() || has_settled || explores()) return;
  space_.SetLaunches(lanes, std::max(abreast, 1u));
  search_.BeginRising(space_);
  BeginTrial();
}

void OccupancyTuner::Record(const OccupancyLaunch& launch) {
  if (launch.round != round_) return;
  if (explores() && !space_.IsLike(launch.lanes, launch.abreast)) return;
  in_a_row_ = !launch.full ? 0 : launch.alone ? 1 : in_a_row_ + 1;
  explores() ? RecordTrial(launch) : RecordSettled(launch);
}

// The first ones of a round ran beside launches of before, which had other lanes or lasted longer;
// and so do those after one that was not full beside that.
bool OccupancyTuner::IsSteady(const OccupancyLaunch& launch) const {
  return in_a_row_ >= launch.abreast;
}

void OccupancyTuner::RecordSettled(const OccupancyLaunch& launch) {
  if (!IsSteady(launch)) {
    row_ = LaunchTally();
    return;
  }
  row_.Add(launch);
  if (row_.launches() < launch.abreast) return;
  const LaunchTally row = std::exchange(row_, LaunchTally());
  if (!row.IsLong()) return;
  if (!space_.IsLike(launch.lanes, launch.abreast)) {
    space_.SetLaunches(launch.lanes, launch.abreast);
    watch_.Forget();
  }
  watch_.Record(row);
  const bool wants = !is_settled_ || watch_.HasFallen();
  if (!wants || !watch_.MaySearch()) return;
  watch_.RecordSearch();
  search_.Begin(space_);
  BeginTrial();
}

void OccupancyTuner::RecordTrial(const OccupancyLaunch& launch) {
  switch (trial_.Add(launch, IsSteady(launch))) {
    case OccupancyTrial::Verdict::kGoesOn: return;
    case OccupancyTrial::Verdict::kShowsNothing: search_.Abandon(!launch.full); break;
    case OccupancyTrial::Verdict::kShown:
      if (const auto choice = search_.Conclude(trial_.tally())) {
        Adopt(choice->occupancy);
        news_ = choice;
      }
  }
  explores() ? BeginTrial() : EndSearch();
}

void OccupancyTuner::BeginTrial() {
  BeginRound();
  trial_ = OccupancyTrial(search_.trial());
}

void OccupancyTuner::EndSearch() {
  BeginRound();
  watch_.Forget();
}

void OccupancyTuner::BeginRound() {
  ++round_;
  in_a_row_ = 0;
  row_ = LaunchTally();
}

void OccupancyTuner::Adopt(const Occupancy& occupancy) {
  BeginRound();
  settled_ = occupancy;
  is_settled_ = true;
}

std::optional<OccupancyChoice> OccupancyTuner::TakeChoice() { return std::exchange(news_, {}); }

}  // namespace wb
