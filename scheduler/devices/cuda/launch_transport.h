#pragma once

// LaunchTransport: how launches get onto a GPU. Launches are numbered in the order in which they
// are begun. At most kSlots are there at a time, number n in slot n % kSlots.
//
// Threads: Place(), Start() and Drop() of one launch from the queue's owner; AwaitEnd(),
// RecordNext() and AwaitRecords() from the one thread that waits. The two may run at the same time.

#include <chrono>
#include <cstdint>

#include "compiler/base/status.h"
#include "scheduler/devices/cuda/cuda_dispatch.h"
#include "scheduler/devices/device.h"

namespace wb {

class LaunchTransport {
 public:
  // Two launches fill the GPU while the host takes the results of the third and seats other
  // instances.
  static constexpr uint64_t kSlots = 3;
  virtual ~LaunchTransport() = default;

  // Copies what the host wrote up and clears the launch's control words. The event placed() is
  // behind that. Then comes Start(), or Drop() if the launch is not to be.
  virtual Status Place(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) = 0;
  virtual Status Start(uint64_t number, CudaDispatch& dispatch, const LaunchLimits& limits) = 0;
  virtual void Drop(uint64_t number) = 0;

  virtual Status AwaitEnd(uint64_t number) = 0;  // of the kernel
  // The launch has ended, and the next one was placed.
  virtual void RecordNext(uint64_t ended) = 0;
  // After AwaitEnd(): waits until the records are back. Returns the time that this launch ran and
  // the one before it did not.
  virtual Result<std::chrono::nanoseconds> AwaitRecords(uint64_t number,
                                                        CudaDispatch& dispatch) = 0;

  // Of a launch whose records are back; from then on until the next one in its slot is placed.
  virtual LaneFuel lane_fuel(uint64_t number) const = 0;

  virtual uint64_t control(uint64_t number) const = 0;  // address of its control words
  virtual void* placed(uint64_t number) const = 0;      // event

  // Nothing was begun for a while; a launch may be placed meanwhile. Called from the thread that
  // waits.
  virtual void RecordIdle() {}
};

// At least this share of a launch's time is its own, however much of it overlaps the launch before
// it.
inline constexpr double kLeastOwnShare = 1.0 / 16;

}  // namespace wb
