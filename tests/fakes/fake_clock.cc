#include "tests/fakes/fake_clock.h"

#include <algorithm>
#include <vector>

namespace wb::test {

TimePoint FakeClock::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

void FakeClock::WaitUntil(Mutex& mutex, CondVar& condition, TimePoint until) {
  if (until == TimePoint::max()) return condition.Wait(mutex);
  std::list<Waiter>::iterator mine;
  {
    MutexLock lock(mutex_);
    if (now_ >= until) return;
    mine = waiters_.insert(waiters_.end(), {&mutex, &condition, until});
  }
  changed_.NotifyAll();
  condition.Wait(mutex);
  mutex.Unlock();
  {
    MutexLock lock(mutex_);
    while (mine->notified_by > 0) changed_.Wait(mutex_);
    waiters_.erase(mine);
  }
  mutex.Lock();
}

void FakeClock::Advance(std::chrono::nanoseconds by) {
  std::vector<Waiter*> held;  // what they wait on may end as soon as they return
  {
    MutexLock lock(mutex_);
    now_ += by;
    for (Waiter& waiter : waiters_) {
      ++waiter.notified_by;
      held.push_back(&waiter);
    }
  }
  for (Waiter* waiter : held) {
    {
      // So that a waiter between its look at the time and its wait is not missed.
      MutexLock lock(*waiter->mutex);
      waiter->condition->NotifyAll();
    }
    {
      MutexLock lock(mutex_);
      --waiter->notified_by;
    }
    changed_.NotifyAll();
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
