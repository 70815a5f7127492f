#pragma once

// LaunchQueue: the launches begun on one GPU, some at a time. While the first one runs, the inputs
// of the next are copied up. The next one's blocks take the place of the first one's blocks that
// have ended, since lanes of unequal length leave more and more of a launch empty towards its end.
// The next one's time counts from when the first has ended. launch_transport.h says how launches
// get to the GPU.
//
// Threads: Begin() from the device's owner, Await() from one thread, Stop() from any. A thread of
// this class waits for launches to end, so that a launch's time counts from when it runs, whenever
// it is awaited.

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/cuda/launch_transport.h"
#include "scheduler/devices/cuda/stop_word.h"
#include "scheduler/devices/device.h"

namespace wb {

class LaunchQueue {
 public:
  static constexpr uint32_t kMost = LaunchTransport::kSlots;  // begun and not awaited

  static Result<std::unique_ptr<LaunchQueue>> Create(CudaContextRef context,
                                                     std::unique_ptr<LaunchTransport> way);
  ~LaunchQueue();  // stops what runs and waits for it
  LaunchQueue(const LaunchQueue&) = delete;
  LaunchQueue& operator=(const LaunchQueue&) = delete;

  Status Begin(CudaDispatch& dispatch, const LaunchLimits& limits);
  Result<LaunchReport> Await();
  void Stop();

 private:
  // Of every kMost-th launch.
  struct Slot {
    CudaDispatch* dispatch = nullptr;
    std::chrono::nanoseconds max_duration{};
    bool stopped = false;
    std::optional<Result<LaunchReport>> report;
  };

  LaunchQueue(CudaContextRef context, std::unique_ptr<LaunchTransport> way)
      : context_(std::move(context)), transport_(std::move(way)) {}
  Slot& SlotOf(uint64_t number) { return slots_[number % kMost]; }
  Status Enqueue(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits);
  void TakeBack(uint64_t number);
  void ArmNext() WB_REQUIRES(mutex_);
  Status RecordEnd(uint64_t number);
  Result<LaunchReport> WaitFor(uint64_t number);
  enum class Next : uint8_t { kBegun, kIdle, kNone };
  Next AwaitBegun(uint64_t number);  // kIdle: nothing for a while; kNone: never any more
  void RunWaits();

  const CudaContextRef context_;
  const std::unique_ptr<LaunchTransport> transport_;
  std::unique_ptr<StopWord> stop_;

  Mutex mutex_;
  CondVar changed_;
  // How many launches have reached each step so far; each number is at most the one before it. The
  // slot of a launch belongs to the owner until the launch is begun, then to the thread that waits.
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
