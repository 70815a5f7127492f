#pragma once

// The stop word on the GPU: lies in its memory, where kernels look at it between two quanta, and
// is set by a copy beside the running launch when the launch's time is over or somebody asks.
// (Measured: polled in host memory it slowed small quanta many times over.)
//
// Threads: Begin() and End() from the device's owner; Stop() from any; the copy is made by a thread
// of this class.

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

  uint64_t address() const { return control_.address(); }

  // From now on the word is set when the time has come, or at a Stop().
  void Begin(std::chrono::nanoseconds max_duration);
  // The launch is over and the context's stream empty: a word that was set is cleared.
  Status End();
  void Stop();

 private:
  explicit StopWord(CudaContextRef context) : context_(std::move(context)) {}
  void RunTimer();
  Status Set() WB_REQUIRES(mutex_);
  Status Clear();

  const CudaContextRef context_;
  CudaBuffer control_;
  void* one_ = nullptr;  // pinned

  Mutex mutex_;
  CondVar timer_;
  bool launched_ WB_GUARDED_BY(mutex_) = false;
  bool is_set_ WB_GUARDED_BY(mutex_) = false;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  Clock::time_point deadline_ WB_GUARDED_BY(mutex_) = Clock::time_point::max();
  Status status_ WB_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace wb
