#pragma once

// Clock: the one way in which the scheduler reads time or waits for it, so that tests make time.

#include <chrono>

#include "compiler/base/mutex.h"

namespace wb {

using TimePoint = std::chrono::steady_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  // Waits on `condition` with `mutex` held until it is notified or `until` has come; may end
  // without cause. TimePoint::max() waits for the notification alone.
  virtual void WaitUntil(Mutex& mutex, CondVar& condition, TimePoint until) WB_REQUIRES(mutex) = 0;
};

// The monotonic clock of the system; any thread.
Clock& SystemClock();

}  // namespace wb
