#pragma once

// LaunchQueue: the launches begun on one GPU, two at a time: while the first one runs the inputs of
// the second are copied up, and its blocks take the place of those of the first that have ended:
// lanes of unequal length leave more and more of a launch empty towards its end. Each has its own
// control words and stream. The second one's time counts from when the first has ended.
//
// Threads: Begin() from the device's owner, Await() from one thread, Stop() from any. A thread of
// this class waits for launches to end, so that a launch's time is counted from when it runs,
// whoever awaits it.

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/cuda/stop_word.h"
#include "scheduler/devices/device.h"

namespace wb {

class LaunchQueue {
 public:
  static constexpr uint32_t kMost = 2;  // begun and not awaited

  static Result<std::unique_ptr<LaunchQueue>> Create(CudaContextRef context,
                                                     uint32_t block_threads);
  ~LaunchQueue();  // stops what runs and waits for it
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  Status Begin(CudaDispatch& dispatch, const LaunchLimits& limits);
  Result<LaunchReport> Await();
  void Stop();

 private:
  // Of every second launch.
  struct Slot {
    CudaBuffer control;
    // Events of the launch: inputs up, kernel begins, kernel has ended, records back.
    void* uploaded = nullptr;
    void* begin = nullptr;
    void* end = nullptr;
    void* downloaded = nullptr;
    void* stream = nullptr;
    CudaDispatch* dispatch = nullptr;
    std::chrono::nanoseconds max_duration{};
    bool stopped = false;
    float beside_ms = 0;  // that it ran while the one before it did
    std::optional<Result<LaunchReport>> report;
  };

  LaunchQueue(CudaContextRef context, uint32_t block_threads)
      : context_(std::move(context)), block_threads_(block_threads) {}
  Status CreateEvents();
  Slot& SlotOf(uint64_t number) { return slots_[number % kMost]; }
  Status Enqueue(Slot& slot, const LaunchLimits& limits);
  void TakeBack();
  void ArmNext() WB_REQUIRES(mutex_);
  Status NoteEnd(const Slot& ended);
  Result<LaunchReport> WaitFor(Slot& slot);
  void RunWaits();

  const CudaContextRef context_;
  const uint32_t block_threads_;
  std::unique_ptr<StopWord> stop_;

  Mutex mutex_;
  CondVar changed_;
  // How many launches have come how far, ever; each is at most the one before it. The slot of a
  // launch belongs to the owner until it is begun, then to the thread that waits.
  uint64_t entered_ WB_GUARDED_BY(mutex_) = 0;  // Begin() was called
  uint64_t placed_ WB_GUARDED_BY(mutex_) = 0;   // control words cleared on the stream
  uint64_t begun_ WB_GUARDED_BY(mutex_) = 0;    // all of it is on the streams
  uint64_t armed_ WB_GUARDED_BY(mutex_) = 0;    // its time is counted
  uint64_t ended_ WB_GUARDED_BY(mutex_) = 0;    // its kernel has ended
  uint64_t over_ WB_GUARDED_BY(mutex_) = 0;     // its report is there
  uint64_t awaited_ WB_GUARDED_BY(mutex_) = 0;
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::array<Slot, kMost> slots_;

  std::thread thread_;
};

}  // namespace wb
