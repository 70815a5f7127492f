#pragma once

// Alarm: calls back at a time, on a thread of its own. Threads: any.

#include <functional>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/base/clock.h"

namespace wb {

class Alarm {
 public:
  Alarm(Clock& clock, std::function<void()> ring);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // It rings then, once; sooner if it was set sooner and has not rung yet.
  void SetBy(TimePoint at);

 private:
  void Run();

  Clock& clock_;
  const std::function<void()> ring_;
  Mutex mutex_;
  CondVar changed_;
  TimePoint at_ WB_GUARDED_BY(mutex_) = TimePoint::max();
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
