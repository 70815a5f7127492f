#pragma once

// LanePool: the threads that run the lanes of a launch. The calling thread is one of them, so that
// a launch of one lane costs no thread switch.
//
// Threads: Run() from one thread at a time (the device's owner); Stop() from any.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/mutex.h"
#include "scheduler/devices/cpu/lane_dispatch.h"

namespace wb {

class LanePool {
 public:
  explicit LanePool(uint32_t threads);  // at least 1, the caller of Run() included
  ~LanePool();
  LanePool(const LanePool&) = delete;
  LanePool& operator=(const LanePool&) = delete;

  uint32_t threads() const { return static_cast<uint32_t>(workers_.size()) + 1; }

  // Runs every seat that is to start or was left midway, each once, until all were run, the time is
  // over, or Stop() is called. Blocks until then. Stop() ends it once `started` was called.
  LaunchReport Run(
      LaneDispatch& dispatch, const LaunchLimits& limits,
      const std::function<void()>& started = [] {});
  void Stop();

 private:
  using Clock = std::chrono::steady_clock;

  void Begin(LaneDispatch& dispatch, const LaunchLimits& limits, Clock::time_point now);
  void End();
  void TakeLanes();
  void RunWorker();
  void RunTimer();
  void SetStop(uint32_t value) WB_REQUIRES(mutex_);

  Mutex mutex_;
  CondVar work_;   // workers wait for seats
  CondVar idle_;   // Run() waits for workers to leave
  CondVar timer_;  // the timer waits for a deadline, or for the next one

  uint32_t openings_ WB_GUARDED_BY(mutex_) = 0;  // workers that may still join the launch
  uint32_t joined_ WB_GUARDED_BY(mutex_) = 0;    // workers inside it
  bool launched_ WB_GUARDED_BY(mutex_) = false;  // between Begin() and End()
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  // The launch's deadline, and when the timer wakes next.
  Clock::time_point deadline_ WB_GUARDED_BY(mutex_) = Clock::time_point::max();
  Clock::time_point wake_ WB_GUARDED_BY(mutex_) = Clock::time_point::max();

  // Written by Begin() only, and read by threads that joined after it.
  LaneDispatch* dispatch_ = nullptr;
  const std::vector<uint32_t>* lanes_ = nullptr;
  std::atomic<size_t> cursor_{0};  // next index into *lanes_; relaxed, it only hands out numbers

  alignas(64) uint32_t control_[abi::CONTROL_WORDS] = {};
  std::vector<std::thread> workers_;
  std::thread timer_thread_;
};

}  // namespace wb
