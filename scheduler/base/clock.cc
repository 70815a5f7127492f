#include "scheduler/base/clock.h"

namespace wb {
namespace {

class MonotonicClock final : public Clock {
 public:
  TimePoint Now() const override { return std::chrono::steady_clock::now(); }
  void WaitUntil(Mutex& mutex, CondVar& condition, TimePoint until) override WB_REQUIRES(mutex) {
    if (until == TimePoint::max()) {
      condition.Wait(mutex);
    } else {
      condition.WaitUntil(mutex, until);
    }
  }
};

}  // namespace

Clock& SystemClock() {
  static MonotonicClock clock;
  return clock;
}

}  // namespace wb
