#include "scheduler/run/in_flight_launches.h"

#include <algorithm>
#include <functional>

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

}  // namespace wb
