#pragma once

// One thread that calls a function at an interval: heartbeats, expiry, the watchdog.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace wb {

class Ticker {
 public:
  Ticker(std::chrono::nanoseconds interval, std::function<void()> tick);
  ~Ticker();  // no call is under way afterwards
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void Run();

  const std::chrono::nanoseconds interval_;
  const std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace wb
