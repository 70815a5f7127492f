#pragma once

// One launch: a row of slices. The next slice is given to the GPU before the last has ended.
//
// Threads: one runs it; requests to stop and completion handlers come from any.

#import <Metal/Metal.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "compiler/base/mutex.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_dispatch.h"
#include "scheduler/devices/metal/metal_fault.h"
#include "scheduler/devices/metal/metal_gpu.h"
#include "scheduler/devices/metal/slices.h"

namespace wb {

struct SliceEnd {
  std::chrono::nanoseconds busy{};
  std::optional<MetalError> error;
};

// What completion handlers and Stop() report to the launch. It outlives the launch, for slices that
// end late.
class LaunchWatch {
 public:
  using Clock = std::chrono::steady_clock;

  void RecordEnd(SliceEnd end);
  void RequestStop();
  bool stopped() const;

  // The next slice that ended. nullopt: `until` has come, or a stop was requested since the last
  // call that returned so.
  std::optional<SliceEnd> Await(Clock::time_point until);
  void Rest(std::chrono::nanoseconds rest);  // less if a stop is asked for

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<SliceEnd> ended_ WB_GUARDED_BY(mutex_);
  bool stopped_ WB_GUARDED_BY(mutex_) = false;
  bool stop_told_ WB_GUARDED_BY(mutex_) = false;
};

class MetalLaunch {
 public:
  // `control` is the word block of the device; nothing else uses it meanwhile.
  MetalLaunch(const MetalGpu& gpu, id<MTLBuffer> control, MetalDispatch& dispatch,
              const LaunchLimits& limits, const SlicePolicy& policy,
              std::chrono::nanoseconds patience, std::shared_ptr<LaunchWatch> watch);

  // Runs the launch to its end. DEVICE_LOST: a slice failed, or did not end in time.
  Result<LaunchReport> Run();

 private:
  using Clock = LaunchWatch::Clock;

  void Begin();
  bool MaySubmit() const;
  void Submit();
  void Fill();  // as many slices in flight as may be
  bool AwaitSlice();
  void Take(const SliceEnd& end);
  void SetStopWord();

  const MetalGpu& gpu_;
  id<MTLBuffer> control_;
  MetalDispatch& dispatch_;
  const LaunchLimits limits_;
  const SlicePolicy policy_;
  const std::chrono::nanoseconds patience_;
  const std::chrono::nanoseconds wanted_;  // of a slice
  const std::shared_ptr<LaunchWatch> watch_;

  Clock::time_point deadline_;
  uint64_t fuel_left_;
  uint64_t slices_ = 0;
  std::deque<uint64_t> in_flight_;  // their fuel, oldest first
  MetalDispatch::SeatsLeft seats_left_;
  LaunchReport report_;
  Status fault_;
  bool hung_ = false;
};

}  // namespace wb
