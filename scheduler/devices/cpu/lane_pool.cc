#include "scheduler/devices/cpu/lane_pool.h"

#include <algorithm>

#include "compiler/base/check.h"

namespace wb {

LanePool::LanePool(uint32_t threads) {
  for (uint32_t i = 1; i < threads; ++i) workers_.emplace_back([this] { RunWorker(); });
  timer_thread_ = std::thread([this] { RunTimer(); });
}

LanePool::~LanePool() {
  {
    MutexLock lock(mutex_);
    WB_CHECK(!launched_);
    closing_ = true;
  }
  work_.NotifyAll();
  timer_.NotifyAll();
  for (std::thread& worker : workers_) worker.join();
  timer_thread_.join();
}

LaunchReport LanePool::Run(LaneDispatch& dispatch, const LaunchLimits& limits,
                           const std::function<void()>& started) {
  const Clock::time_point begin = Clock::now();
  Begin(dispatch, limits, begin);
  started();
  TakeLanes();
  End();
  LaunchReport report;
  report.seats_left = dispatch.CountLeft();
  report.busy = Clock::now() - begin;
  return report;
}

void LanePool::Begin(LaneDispatch& dispatch, const LaunchLimits& limits, Clock::time_point now) {
  dispatch.Prepare(limits, control_);
  dispatch_ = &dispatch;
  lanes_ = &dispatch.RunOrder();
  cursor_.store(0, std::memory_order_relaxed);
  const uint32_t wanted = static_cast<uint32_t>(
      std::min<size_t>(lanes_->empty() ? 0 : lanes_->size() - 1, workers_.size()));
  bool wake_timer = false;
  {
    MutexLock lock(mutex_);
    SetStop(0);
    control_[abi::CONTROL_NEXT] = control_[abi::CONTROL_IDLE] = 0;
    openings_ = wanted;
    launched_ = true;
    const bool forever = limits.max_duration >= Clock::time_point::max() - now;
    deadline_ = forever ? Clock::time_point::max() : now + limits.max_duration;
    // The timer does not have to know a deadline that is after its next look.
    wake_timer = deadline_ < wake_;
  }
  if (wake_timer) timer_.NotifyOne();
  for (uint32_t i = 0; i < wanted; ++i) work_.NotifyOne();
}

void LanePool::End() {
  MutexLock lock(mutex_);
  openings_ = 0;
  while (joined_ != 0) idle_.Wait(mutex_);
  launched_ = false;
  deadline_ = Clock::time_point::max();
}

// Looks at the stop word after a lane, so that a launch gets on however short its time is.
void LanePool::TakeLanes() {
  LaneDispatch& dispatch = *dispatch_;
  do {
    const size_t next = cursor_.fetch_add(1, std::memory_order_relaxed);
    if (next >= lanes_->size()) return;
    dispatch.Run((*lanes_)[next]);
  } while (__atomic_load_n(&control_[abi::CONTROL_STOP], __ATOMIC_RELAXED) == 0);
}

void LanePool::RunWorker() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      while (!closing_ && openings_ == 0) work_.Wait(mutex_);
      if (closing_) return;
      --openings_;
      ++joined_;
    }
    TakeLanes();
    MutexLock lock(mutex_);
    if (--joined_ == 0) idle_.NotifyOne();
  }
}

// Sleeps until the deadline that it knows. A launch that ended early leaves it asleep. When it
// wakes it finds a later deadline, or none: at most one needless wake-up per max_duration.
void LanePool::RunTimer() {
  MutexLock lock(mutex_);
  while (!closing_) {
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
      SetStop(1);
      deadline_ = Clock::time_point::max();
    }
    wake_ = deadline_;
    if (wake_ == Clock::time_point::max()) {
      timer_.Wait(mutex_);
    } else {
      timer_.WaitUntil(mutex_, wake_);
    }
  }
}

void LanePool::Stop() {
  MutexLock lock(mutex_);
  if (launched_) SetStop(1);
}

void LanePool::SetStop(uint32_t value) {
  __atomic_store_n(&control_[abi::CONTROL_STOP], value, __ATOMIC_RELAXED);
}

}  // namespace wb
