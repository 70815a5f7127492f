#pragma once

// LaneDevice: what the engines of this machine's processor share. They differ in how a kernel is
// built and loaded, not in how its lanes are kept and run.

#include <atomic>
#include <memory>

#include "scheduler/devices/cpu/lane_pool.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

class LaneDevice : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }
  // `pipeline` came from Load of this device.
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Result<LaunchReport> Launch(Dispatch& dispatch, const LaunchLimits& limits) override;
  void Stop() override { pool_.Stop(); }
  Telemetry Sample() override { return {}; }

  // info.threads and info.memory_bytes: 0 means all processors, half of physical memory.
  LaneDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory);

 private:
  const DeviceInfo info_;
  std::shared_ptr<HostMemory> memory_;
  std::shared_ptr<std::atomic<uint64_t>> held_bytes_;  // by the dispatches that live
  LanePool pool_;
};

}  // namespace wb
