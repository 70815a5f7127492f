#pragma once

// LaneDevice: what the engines of this machine's processor share. They differ in how a kernel is
// built and loaded. They keep and run lanes in the same way.

#include <atomic>
#include <memory>

#include "scheduler/devices/blocking_device.h"
#include "scheduler/devices/cpu/lane_pool.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/sensors/sensors.h"

namespace wb {

class LaneDevice : public BlockingDevice {
 public:
  const DeviceInfo& info() const override { return info_; }
  // `pipeline` came from Load of this device.
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override;
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override;
  Telemetry Sample() override;  // the processors'

  // info.threads and info.memory_bytes: 0 means all processors, half of physical memory.
  LaneDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory);

 protected:
  void StopRunning() override { pool_.Stop(); }
  Result<LaunchReport> Run(Dispatch& dispatch, const LaunchLimits& limits) override;

 private:
  const DeviceInfo info_;
  std::shared_ptr<HostMemory> memory_;
  std::shared_ptr<std::atomic<uint64_t>> held_bytes_;  // by the dispatches that live
  std::shared_ptr<KeptMapping> kept_;
  LanePool pool_;
  std::unique_ptr<Sensors> sensors_;  // opened by the first Sample()
};

}  // namespace wb
