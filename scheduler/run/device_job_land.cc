// DeviceJob: what a launch came to.

#include <algorithm>
#include <utility>

#include "scheduler/run/device_job.h"
#include "scheduler/run/seating.h"

namespace wb {
namespace {

// Lanes that take no seats end what they hold; that says little once so many times as many
// instances as were held have ended in the launch.
constexpr uint64_t kOutnumbers = 4;

}  // namespace

// Ended instances become results, those without memory or stack go back.
void DeviceJob::Take(Harvest harvest, const DispatchShape& shape, Burst& burst) {
  burst.ran = AddBounded(burst.ran, harvest.results.fuel());
  burst.ran = AddBounded(burst.ran, AddBounded(harvest.left_fuel, harvest.seated.fuel));
  job_->Unseat(device_, harvest.need_memory);
  for (InstanceRef& instance : harvest.need_stack) {
    instance.brought = 0;
    instance.seat_class.stack = GrownStack(shape.capacity_stack, job_->plan.spec.limits.max_stack);
  }
  job_->Unseat(device_, harvest.need_stack);
  const ResultBatch& results = harvest.results;
  burst.fuel += results.fuel();
  burst.brought = AddBounded(burst.brought, harvest.brought);
  quantum_.Record(results.size(), results.fuel(), results.fuel_squares());
  burst.instances += results.size();
  job_->Deliver(device_, std::move(harvest.results));
}

// False: there was a record that no sound engine writes.
bool DeviceJob::Reap(SeatSets::Entry& entry, const DeviceInfo& info, Burst& burst) {
  bool sound = true;
  Seated seated;
  RecordSeated(entry, {});  // or those who have ended would count twice
  const auto reap = [&](Harvest harvest) {
    sound = sound && harvest.sound;
    seated += harvest.seated;
    Take(std::move(harvest), entry.seats.shape(), burst);
  };
  entry.seats.Collect(job_->plan, {info.id, prepared_.fast32, prepared_.build}, reap, helpers_);
  RecordSeated(entry, seated);
  return sound;
}

Result<DeviceJob::Burst> DeviceJob::Complete(SeatSets::Entry& entry, const LaunchLimits& limits,
                                             const LaunchReport& report, const DeviceInfo& info) {
  entry.in_flight = false;
  has_landed_ = true;
  busy_ += report.busy;
  const double taken = entry.seats.taken_seats();
  if (controller_) {
    controller_->Record({limits.max_duration, limits.slice_fuel, limits.quantum}, report.busy);
  }
  const bool queued = entry.seats.shape().seats != 0;
  if (!queued) pace_.Record(report.seats_left, info.threads, Waiting(entry.seat_class));
  Burst burst;
  burst.busy = report.busy;
  burst.useful = std::min(1.0, taken / FullWidth(info));
  job_->Record([&report](JobProgress& progress) {
    progress.usage.bursts += 1;
    progress.usage.device_time += report.busy;
  });
  const Seated before = entry.seated;
  if (!Reap(entry, info, burst)) {
    return UnsoundRecord(info.id);
  }
  burst.ran -= std::min(burst.ran, before.fuel);
  RecordOccupancy(entry, limits, report, before, burst);
  if (entry.seats.taken_seats() == 0 && Waiting(entry.seat_class) == 0) {
    seats_.Drop(entry);
  }
  return burst;
}

void DeviceJob::RecordSeated(SeatSets::Entry& entry, const Seated& seated) {
  if (entry.seated.fuel != seated.fuel) job_->RecordSeatedFuel(entry.seated.fuel, seated.fuel);
  entry.seated = seated;
}

// Full: the queue held out to the end, or the launch ended as soon as it did not; and the lanes
// that took seats had the device for themselves.
void DeviceJob::RecordOccupancy(const SeatSets::Entry& entry, const LaunchLimits& limits,
                                const LaunchReport& report, const Seated& before,
                                const Burst& burst) {
  if (!tuner_ || entry.seats.shape().seats == 0) return;
  const uint32_t lanes = entry.seats.shape().lanes;
  const bool held_out = entry.seated.queued > 0 || limits.most_idle != ~0u;
  const bool alone = before.running <= limits.occupancy.LanesOf(lanes) ||
                     burst.instances >= kOutnumbers * before.running;
  OccupancyLaunch launch;
  launch.lanes = lanes;
  launch.abreast = entry.abreast;
  launch.round = entry.round;
  launch.alone = entry.begun_alone;
  launch.fuel = static_cast<double>(burst.ran);
  launch.busy = report.busy;
  launch.air = busy_ - entry.begun_at;
  launch.full = held_out && alone;
  tuner_->Record(launch);
}

}  // namespace wb
