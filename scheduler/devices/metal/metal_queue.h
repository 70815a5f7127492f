#pragma once

// The launches begun on one GPU, one after the other. A thread of this class runs them, so that the
// next one starts when the one before it has ended, whenever that one is awaited.
//
// Threads: Begin() from the device's owner, Await() from one thread, Stop() from any.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "compiler/base/mutex.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_capture.h"
#include "scheduler/devices/metal/metal_dispatch.h"
#include "scheduler/devices/metal/metal_gpu.h"
#include "scheduler/devices/metal/metal_launch.h"
#include "scheduler/devices/metal/metal_settings.h"

namespace wb {

class MetalQueue {
 public:
  static constexpr uint32_t kMost = 2;  // begun and not awaited

  static Result<std::unique_ptr<MetalQueue>> Create(MetalGpuRef gpu, const MetalSettings& settings);
  ~MetalQueue();  // stops what runs and waits for it
  MetalQueue(const MetalQueue&) = delete;
  MetalQueue& operator=(const MetalQueue&) = delete;

  void Begin(MetalDispatch& dispatch, const LaunchLimits& limits);
  Result<LaunchReport> Await();
  void Stop();

 private:
  struct Begun {
    MetalDispatch* dispatch = nullptr;
    LaunchLimits limits;
    std::shared_ptr<LaunchWatch> watch = std::make_shared<LaunchWatch>();
    std::optional<Result<LaunchReport>> report;
  };
  using BegunRef = std::shared_ptr<Begun>;

  MetalQueue(MetalGpuRef gpu, const MetalSettings& settings);
  void RunLaunches();
  BegunRef Next();
  Result<LaunchReport> Run(const Begun& begun);

  const MetalGpuRef gpu_;
  const std::chrono::nanoseconds slice_;
  const std::chrono::nanoseconds patience_;
  MetalBuffer control_;
  MetalCapture capture_;
  Status lost_;  // once it is, every later launch is; of the thread

  Mutex mutex_;
  CondVar changed_;
  std::deque<BegunRef> begun_ WB_GUARDED_BY(mutex_);  // and not awaited, oldest first
  bool closing_ WB_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace wb
