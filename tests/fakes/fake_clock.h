#pragma once

// FakeClock: time that a test moves by hand.

#include <cstddef>
#include <list>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"

namespace wb::test {

class FakeClock final : public Clock {
 public:
  TimePoint Now() const override;
  void WaitUntil(Mutex& mutex, CondVar& condition, TimePoint until) override WB_REQUIRES(mutex);

  void Advance(std::chrono::nanoseconds by);
  // Until a thread waits for exactly this time from now.
  void AwaitWaiter(std::chrono::nanoseconds from_now);

 private:
  struct Waiter {
    Mutex* mutex;
    CondVar* condition;
    TimePoint until;
    int notified_by = 0;  // so many threads hold it: it does not return meanwhile
  };

  mutable Mutex mutex_;
  CondVar changed_;
  TimePoint now_ WB_GUARDED_BY(mutex_) = TimePoint(std::chrono::hours(1));
  std::list<Waiter> waiters_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb::test
