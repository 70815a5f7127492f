#pragma once

// LaunchTransport: how launches get onto a GPU. Launches are numbered in the order in which they
// are begun; at most kSlots are there at a time, number n in slot n % kSlots.
//
// Threads: Place(), Start() and Drop() of one launch from the queue's owner; AwaitEnd(),
// RecordNext() and AwaitRecords() from the one thread that waits. Beside each other.

#include <chrono>
#include <cstdint>

#include "compiler/base/status.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/device.h"

namespace wb {

class LaunchTransport {
 public:
  // Two fill the GPU while the host takes the results of the third and seats others.
  static constexpr uint64_t kSlots = 3;
  virtual ~LaunchTransport() = default;

  // What the host wrote goes up, and the launch's control words are cleared; behind that lies the
  // event placed(). Then Start(), or Drop() if it is not to be.
  virtual Status Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) = 0;
  virtual Status Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) = 0;
  virtual void Drop(uint64_t number) = 0;

  virtual Status AwaitEnd(uint64_t number) = 0;  // of the kernel
  // The launch has ended, and the next one was placed.
  virtual void RecordNext(uint64_t ended) = 0;
  // After AwaitEnd(): records are back. The time that it ran and the one before it did not.
  virtual Result<std::chrono::nanoseconds> AwaitRecords(uint64_t number,
                                                        CudaDispatch& dispatch) = 0;

  virtual uint64_t control(uint64_t number) const = 0;  // address of its control words
  virtual void* placed(uint64_t number) const = 0;      // event

  // Nothing was begun for a while; a launch may be placed meanwhile. From the thread that waits.
  virtual void RecordIdle() {}
};

// Of a launch's own time at least, however much of it lay beside the one before it.
inline constexpr double kLeastOwnShare = 1.0 / 16;

}  // namespace wb
