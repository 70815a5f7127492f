#pragma once

// One thread that calls a function at an interval: heartbeats, expiry, the watchdog.

#include <chrono>
#include <functional>
#include <thread>

#include "compiler/base/mutex.h"

namespace wb {

class Ticker {
 public:
  Ticker(std::chrono::nanoseconds interval, std::function<void()> tick);
  ~Ticker();  // no call is under way afterwards
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void Run();
  bool Sleep();  // to the next tick; false: the ticker stops

  const std::chrono::nanoseconds interval_;
  const std::function<void()> tick_;
  Mutex mutex_;
  CondVar stopped_;
  bool stopping_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
