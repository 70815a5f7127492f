#pragma once

// Sets the stop word of the launch that runs, by a copy beside it, when its time is over or
// somebody asks. The word lies in the GPU's memory, where kernels look at it between two quanta.
// (Measured: polled in host memory it slowed small quanta many times over.)
//
// Threads: Arm() and Disarm() in turns, from any thread; StopNow() from any; the copy is made by a
// thread of this class.

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

  // The launch that runs now has its control words at `control`, cleared before the event `begin`,
  // which has been recorded. Its word is set when the time has come, or at StopNow().
  void Arm(uint64_t control, void* begin, std::chrono::nanoseconds max_duration);
  // That launch is over: from now on its words are left alone. How setting them went.
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
