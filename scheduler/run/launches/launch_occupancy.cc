#include "scheduler/run/launches/launch_occupancy.h"

namespace wb {
namespace {

// Lanes that take no seats end what they hold; that says little once so many times as many
// instances as were held have ended in the launch.
constexpr uint64_t kOutnumbers = 4;

}  // namespace

std::optional<OccupancyChoice> LaunchOccupancy::TakeChoice() {
  return tuner_ ? tuner_->TakeChoice() : std::nullopt;
}

void LaunchOccupancy::BeginDispatch(const SeatSets::Entry& entry) {
  const DispatchShape& shape = entry.seats.shape();
  if (tuner_ && shape.seats != 0) tuner_->BeginDispatch(shape.lanes, entry.abreast);
}

// A dispatch without a queue of seats fills all its lanes.
OccupancyTuner::Wish LaunchOccupancy::Next(SeatSets::Entry* entry) {
  const DispatchShape& shape = entry->seats.shape();
  OccupancyTuner::Wish wish;
  if (tuner_ && shape.seats != 0) wish = tuner_->Next(shape.lanes, entry->abreast);
  entry->round = wish.round;
  return wish;
}

void LaunchOccupancy::Begin(SeatSets::Entry* entry, bool alone) {
  entry->begun_alone = alone;
  entry->begun_at = busy_;
}

// Full: the queue held out to the end, or the launch ended as soon as it did not; and the lanes
// that took seats had the device for themselves.
void LaunchOccupancy::Record(const SeatSets::Entry& entry, const LaunchLimits& limits,
                             const LaunchReport& report, const Seated& before,
                             const LaunchOutcome& outcome) {
  if (!tuner_ || entry.seats.shape().seats == 0) return;
  const uint32_t lanes = entry.seats.shape().lanes;
  const bool held_out = entry.seated.queued > 0 || limits.most_idle != ~0u;
  const bool alone = before.running <= limits.occupancy.LanesOf(lanes) ||
                     outcome.instances >= kOutnumbers * before.running;
  OccupancyLaunch launch;
  launch.lanes = lanes;
  launch.abreast = entry.abreast;
  launch.round = entry.round;
  launch.alone = entry.begun_alone;
  launch.fuel = static_cast<double>(outcome.ran);
  launch.busy = report.busy;
  launch.air = busy_ - entry.begun_at;
  launch.full = held_out && alone;
  tuner_->Record(launch);
}

}  // namespace wb
