#pragma once

// WakeSignal: what wakes a thread that works in passes. May outlive the thread: whoever has news
// need not know whether it still runs. Threads: any; one waits.

#include <chrono>
#include <utility>

#include "compiler/base/mutex.h"

namespace wb {

class WakeSignal {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  void Wake() {
    {
      const MutexLock lock(mutex_);
      woken_ = true;
    }
    changed_.NotifyAll();
  }
  void Stop() {
    {
      const MutexLock lock(mutex_);
      stopped_ = true;
    }
    changed_.NotifyAll();
  }
  // Until `soonest`, and then until it is woken or `latest` has come. False: it was stopped.
  bool Await(TimePoint soonest, TimePoint latest) {
    const MutexLock lock(mutex_);
    while (!stopped_ && changed_.WaitUntil(mutex_, soonest)) {
    }
    while (!stopped_ && !woken_ && changed_.WaitUntil(mutex_, latest)) {
    }
    woken_ = false;
    return !stopped_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool woken_ WB_GUARDED_BY(mutex_) = false;
  bool stopped_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
