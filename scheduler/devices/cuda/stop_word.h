#pragma once

// StopWord: sets the stop word of the launch that runs, by a copy beside it, when the launch's time
// is over or at StopNow(). The word is in the GPU's memory, where kernels look at it between two
// quanta. (Measured: a word in the host's memory slowed small quanta many times over.)
//
// Threads: Arm() and Disarm() in turn, from any thread; StopNow() from any. A thread of this class
// makes the copy.

#include <chrono>
#include <memory>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/cuda_context.h"

namespace wb {

class StopWord {
 public:
  using Clock = std::chrono::steady_clock;

  static Result<std::unique_ptr<StopWord>> Create(CudaContextRef context);
  ~StopWord();

  // The launch that runs now has its control words at `control`. They were cleared before the event
  // `begin`, which has been recorded. Its stop word is set when its time is over, or at StopNow().
  void Arm(uint64_t control, void* begin, std::chrono::nanoseconds max_duration);
  // That launch is over: from now on its words are left alone. Returns how setting them went.
  Status Disarm();
  void StopNow();  // no effect unless armed

 private:
  explicit StopWord(CudaContextRef context) : context_(std::move(context)) {}
  void RunTimer();
  Status Set() WB_REQUIRES(mutex_);

  const CudaContextRef context_;
  void* one_ = nullptr;  // pinned

  Mutex mutex_;
  CondVar timer_;
  bool armed_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  uint64_t control_ WB_GUARDED_BY(mutex_) = 0;
  void* begin_ WB_GUARDED_BY(mutex_) = nullptr;
  Clock::time_point deadline_ WB_GUARDED_BY(mutex_) = Clock::time_point::max();
  Status status_ WB_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace wb
