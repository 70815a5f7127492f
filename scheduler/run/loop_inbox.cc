#include "scheduler/run/loop_inbox.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace wb {

bool LoopInbox::PostJob(Arrival arrival) {
  bool stops = false;
  {
    MutexLock lock(mutex_);
    arrivals_.push_back(std::move(arrival));
    const TimePoint now = clock_.Now();
    stops = !launching_.empty() && !HasStoppedLately(now);
    if (stops) newcomer_stop_ = now;
  }
  changed_.NotifyAll();
  return stops;
}

bool LoopInbox::PostCommand(Command command) {
  bool stops = false;
  {
    MutexLock lock(mutex_);
    stops = command.StopsLaunches() && IsLaunchingLocked(command.job.get());
    commands_.push_back(std::move(command));
  }
  changed_.NotifyAll();
  return stops;
}

void LoopInbox::Wake() {
  {
    MutexLock lock(mutex_);
    woken_ = true;
  }
  changed_.NotifyAll();
}

void LoopInbox::Close() {
  {
    MutexLock lock(mutex_);
    closing_ = true;
  }
  changed_.NotifyAll();
}

bool LoopInbox::IsLaunching(const ActiveJob* job) const {
  MutexLock lock(mutex_);
  return IsLaunchingLocked(job);
}

bool LoopInbox::IsLaunchingLocked(const ActiveJob* job) const {
  return std::binary_search(launching_.begin(), launching_.end(), job, std::less<>());
}

bool LoopInbox::AnyLaunching() const {
  MutexLock lock(mutex_);
  return !launching_.empty();
}

uint64_t LoopInbox::jobs() const {
  MutexLock lock(mutex_);
  return present_.size() + arrivals_.size();
}

LoopInbox::View LoopInbox::Look(const ActiveJob& job) const {
  MutexLock lock(mutex_);
  View view;
  for (const Arrival& arrival : arrivals_) {
    if (arrival.job.get() == &job) view.is_here = true;
  }
  for (const Present& present : present_) {
    if (present.job.get() != &job) continue;
    view.is_here = true;
    view.lack = present.lack;
  }
  view.is_launching = IsLaunchingLocked(&job);
  if (view.is_here && present_.size() + arrivals_.size() > 1) view.turn = TurnLocked(job);
  return view;
}

WaitReason LoopInbox::TurnLocked(const ActiveJob& job) const {
  OtherJobs others;
  const JobSpec& own = job.plan.spec;
  std::vector<const ActiveJob*> here;
  for (const Present& present : present_) here.push_back(present.job.get());
  for (const Arrival& arrival : arrivals_) here.push_back(arrival.job.get());
  for (const ActiveJob* other : here) {
    const JobSpec& spec = other->plan.spec;
    if (other == &job) continue;
    if (IsLaunchingLocked(other)) {
      others.running.push_back(other->id);
    } else if (spec.tenant == own.tenant && spec.priority > own.priority) {
      others.ahead.push_back(other->id);
    } else {
      ++others.others;
    }
  }
  return WaitForTurn(device_, others);
}

std::optional<LoopInbox::Mail> LoopInbox::Take() {
  Mail mail;
  MutexLock lock(mutex_);
  if (closing_) return std::nullopt;
  mail.arrivals.swap(arrivals_);
  mail.commands.swap(commands_);
  woken_ = false;
  for (const Arrival& arrival : mail.arrivals) present_.push_back({arrival.job, {}});
  return mail;
}

void LoopInbox::AwaitMore(TimePoint until) {
  MutexLock lock(mutex_);
  if (!arrivals_.empty() || !commands_.empty() || woken_ || closing_) return;
  if (clock_.Now() < until) clock_.WaitUntil(mutex_, changed_, until);
}

void LoopInbox::Left(const ActiveJobRef& job) {
  MutexLock lock(mutex_);
  const auto left = std::find_if(present_.begin(), present_.end(),
                                 [&](const Present& candidate) { return candidate.job == job; });
  if (left != present_.end()) present_.erase(left);
}

void LoopInbox::RecordLack(const ActiveJobRef& job, const WaitReason& lack) {
  MutexLock lock(mutex_);
  for (Present& present : present_) {
    if (present.job == job) present.lack = lack;
  }
}

void LoopInbox::PublishLaunching(std::vector<const ActiveJob*> jobs) {
  MutexLock lock(mutex_);
  launching_ = std::move(jobs);
  for (Present& present : present_) {
    if (IsLaunchingLocked(present.job.get())) present.lack.reset();
  }
}

bool LoopInbox::WantsStop(std::chrono::nanoseconds longest, TimePoint now) {
  MutexLock lock(mutex_);
  for (const Command& command : commands_) {
    if (command.StopsLaunches() && IsLaunchingLocked(command.job.get())) return true;
  }
  if (arrivals_.empty()) return false;
  // A launch that was planned before the last stop may be a long one.
  if (longest <= stop_period_ && HasStoppedLately(now)) return false;
  newcomer_stop_ = now;
  return true;
}

bool LoopInbox::HasStoppedLately(TimePoint now) const {
  return newcomer_stop_ && now - *newcomer_stop_ < stop_period_;
}

std::optional<TimePoint> LoopInbox::NextNewcomerStop(TimePoint now) const {
  MutexLock lock(mutex_);
  if (!HasStoppedLately(now)) return std::nullopt;
  return *newcomer_stop_ + stop_period_;
}

void LoopInbox::SetStopPeriod(std::chrono::nanoseconds period) {
  MutexLock lock(mutex_);
  stop_period_ = period;
}

}  // namespace wb
