#pragma once

// A device that passes every call on to another. Tests override what they change.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/devices/device.h"

namespace wb::test {

class ForwardingDevice : public Device {
 public:
  explicit ForwardingDevice(std::shared_ptr<Device> real) : real_(std::move(real)) {}

  const DeviceInfo& info() const override { return real_->info(); }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                      Effort effort) override {
    return real_->Build(module, source, effort);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override {
    return real_->Load(std::move(module), binary);
  }
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override {
    return real_->Allocate(pipeline, shape);
  }
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override {
    return real_->Begin(dispatch, limits);
  }
  Result<LaunchReport> Await() override { return real_->Await(); }
  Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline) override {
    return real_->Adopt(dispatch, pipeline);
  }
  void Stop() override { real_->Stop(); }
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override {
    return real_->ExportLanes(dispatch, seats);
  }
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override {
    return real_->ImportLanes(dispatch, lanes);
  }
  Telemetry Sample() override { return real_->Sample(); }

 protected:
  const std::shared_ptr<Device> real_;
};

}  // namespace wb::test
