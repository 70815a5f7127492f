#include "tests/fakes/fake_clock.h"

#include <algorithm>

namespace wb::test {

TimePoint FakeClock::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

void FakeClock::WaitUntil(Mutex& mutex, CondVar& condition, TimePoint until) {
  if (until == TimePoint::max()) return condition.Wait(mutex);
  {
    MutexLock lock(mutex_);
    if (now_ >= until) return;
    waiters_.push_back({&mutex, &condition, until});
  }
  changed_.NotifyAll();
  condition.Wait(mutex);
  MutexLock lock(mutex_);
  const auto mine = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& waiter) {
    return waiter.condition == &condition && waiter.until == until;
  });
  waiters_.erase(mine);
}

void FakeClock::Advance(std::chrono::nanoseconds by) {
  std::vector<Waiter> waiters;
  {
    MutexLock lock(mutex_);
    now_ += by;
    waiters = waiters_;
  }
  for (const Waiter& waiter : waiters) {
    // Locked for a moment, so that a waiter between its look at the time and its wait is not
    // missed.
    { MutexLock lock(*waiter.mutex); }
    waiter.condition->NotifyAll();
  }
}

void FakeClock::AwaitWaiter(std::chrono::nanoseconds from_now) {
  MutexLock lock(mutex_);
  while (true) {
    const TimePoint until = now_ + from_now;
    const auto waits = [until](const Waiter& waiter) { return waiter.until == until; };
    if (std::any_of(waiters_.begin(), waiters_.end(), waits)) return;
    changed_.Wait(mutex_);
  }
}

}  // namespace wb::test
