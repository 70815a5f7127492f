#pragma once

// BlockingDevice: a device that runs a launch in the thread that awaits it.

#include <chrono>
#include <deque>
#include <utility>

#include "compiler/base/mutex.h"
#include "scheduler/devices/device.h"

namespace wb {

class BlockingDevice : public Device {
 public:
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) final {
    MutexLock lock(mutex_);
    begun_.emplace_back(&dispatch, limits);
    return {};
  }
  Result<LaunchReport> Await() final {
    const auto [dispatch, limits] = Oldest();
    return Run(*dispatch, limits);
  }
  void Stop() final {
    {
      MutexLock lock(mutex_);
      for (Begun& begun : begun_) begun.second.max_duration = std::chrono::nanoseconds(0);
      stop_came_ = true;
    }
    StopRunning();
  }

 protected:
  // One launch, from its beginning to its end.
  virtual Result<LaunchReport> Run(Dispatch& dispatch, const LaunchLimits& limits) = 0;
  virtual void StopRunning() = 0;  // as Stop(), of that one
  // Run() calls it once StopRunning() can end its launch, since a Stop() may have come just before.
  void Started() {
    {
      MutexLock lock(mutex_);
      if (!stop_came_) return;
    }
    StopRunning();
  }

 private:
  using Begun = std::pair<Dispatch*, LaunchLimits>;
  Begun Oldest() {
    MutexLock lock(mutex_);
    Begun oldest = std::move(begun_.front());
    begun_.pop_front();
    stop_came_ = false;
    return oldest;
  }

  Mutex mutex_;
  std::deque<Begun> begun_ WB_GUARDED_BY(mutex_);
  bool stop_came_ WB_GUARDED_BY(mutex_) = false;  // since the launch that runs was taken
};

}  // namespace wb
