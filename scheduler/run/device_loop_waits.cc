// DeviceLoop: why its jobs do not run now. Any thread.

#include <algorithm>

#include "scheduler/base/quoted.h"
#include "scheduler/run/device_loop.h"

namespace wb {

std::vector<WaitReason> DeviceLoop::WaitsLocked() const {
  std::vector<WaitReason> waits;
  const TimePoint now = clock_.Now();
  DeviceStatus status;
  ShowTrouble(&status);
  if (!ordered_gate_.IsOpen()) {
    waits.push_back({WaitCause::kClosed,
                     "the device " + Quoted(id_) + ", which is " +
                         std::string(GateName(ordered_gate_.gate())) +
                         " until somebody uncordons it",
                     {},
                     {}});
  }
  if (!status.trouble.empty()) {
    waits.push_back({WaitCause::kLost,
                     "the device " + Quoted(id_) + ": " + status.trouble,
                     std::max(next_start_ - now, std::chrono::nanoseconds(0)),
                     {}});
  }
  if (!status_.rest.empty()) {
    waits.push_back({WaitCause::kRest,
                     "the device " + Quoted(id_) + ", " + status_.rest,
                     std::max(rest_end_ - now, std::chrono::nanoseconds(0)),
                     {}});
  }
  return waits;
}

std::vector<WaitReason> DeviceLoop::Waits() const {
  MutexLock lock(mutex_);
  return WaitsLocked();
}

bool DeviceLoop::IsPresent(const ActiveJob* job) const {
  const auto is_it = [job](const auto& candidate) { return candidate.job.get() == job; };
  return std::any_of(present_.begin(), present_.end(), is_it) ||
         std::any_of(inbox_.begin(), inbox_.end(), is_it);
}

WaitReason DeviceLoop::TurnLocked(const ActiveJob& job) const {
  OtherJobs others;
  const JobSpec& its = job.plan.spec;
  std::vector<const ActiveJob*> here;
  for (const Present& present : present_) here.push_back(present.job.get());
  for (const Arrival& arrival : inbox_) here.push_back(arrival.job.get());
  for (const ActiveJob* other : here) {
    const JobSpec& spec = other->plan.spec;
    if (other == &job) continue;
    if (IsLaunching(other)) {
      others.running.push_back(other->id);
    } else if (spec.tenant == its.tenant && spec.priority > its.priority) {
      others.ahead.push_back(other->id);
    } else {
      ++others.others;
    }
  }
  return WaitForTurn(id_, others);
}

bool DeviceLoop::Runs(const ActiveJob& job) const {
  MutexLock lock(mutex_);
  return IsLaunching(&job) && !IsSilent();
}

std::vector<WaitReason> DeviceLoop::WaitsOf(const ActiveJob& job) const {
  MutexLock lock(mutex_);
  if (!IsPresent(&job) || (IsLaunching(&job) && !IsSilent())) return {};
  std::vector<WaitReason> waits = WaitsLocked();
  for (const Present& present : present_) {
    if (present.job.get() == &job && present.lack) waits.push_back(*present.lack);
  }
  if (present_.size() + inbox_.size() > 1 && !IsLaunching(&job)) waits.push_back(TurnLocked(job));
  return waits;
}

void DeviceLoop::RecordLack(const DeviceJob& resident, const WaitReason& lack) {
  MutexLock lock(mutex_);
  for (Present& present : present_) {
    if (present.job == resident.job()) present.lack = lack;
  }
}

}  // namespace wb
