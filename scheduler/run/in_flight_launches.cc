#include "scheduler/run/in_flight_launches.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wb {

std::vector<DeviceJob*> InFlightLaunch::Jobs() const {
  if (batch == nullptr) return {job};
  std::vector<DeviceJob*> jobs;
  for (const BatchMember* member : batch->members) jobs.push_back(member->owner());
  return jobs;
}

bool InFlightLaunches::MayAdd(const DeviceInfo& info) const {
  if (launches_.empty()) return true;
  return !launches_.front().IsSuspect() && launches_.size() < info.launches_at_once;
}

std::chrono::nanoseconds InFlightLaunches::Time() const {
  std::chrono::nanoseconds time{};
  for (const InFlightLaunch& launch : launches_) time += launch.limits.max_duration;
  return time;
}

std::vector<const ActiveJob*> InFlightLaunches::Jobs() const {
  std::vector<const ActiveJob*> jobs;
  for (const InFlightLaunch& launch : launches_) {
    for (const DeviceJob* job : launch.Jobs()) jobs.push_back(job->job().get());
  }
  std::sort(jobs.begin(), jobs.end(), std::less<>());
  return jobs;
}

std::vector<LaunchOnBoard> InFlightLaunches::ForBoard() const {
  std::vector<LaunchOnBoard> shown;
  for (const InFlightLaunch& launch : launches_) {
    LaunchOnBoard one{launch.begun, {}, {}};
    const SeatTable& table = launch.table();
    one.launch.lanes = table.shape().lanes;
    one.launch.seated = table.taken_seats();
    one.launch.build = launch.job->state().prepared.build;
    one.launch.longest = launch.limits.max_duration;
    for (const DeviceJob* job : launch.Jobs()) {
      if (one.launch.jobs++ < LaunchInFlight::kMostShown) one.jobs.push_back(job->job());
    }
    shown.push_back(std::move(one));
  }
  return shown;
}

}  // namespace wb
