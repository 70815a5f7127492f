#pragma once

// RemoteDevice: a device that lives in an engine host, behind the same interface as one in process.
// Its dispatches' records, columns and blob are memory that both processes map.
//
// Threads: as Device.

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/engine_host/host_settings.h"
#include "scheduler/engine_host/remote_dispatch.h"

namespace wb {

// DEVICE_LOST: the host of this device answered with something else than was asked for.
Status NonsenseAnswer(const std::string& id);

class RemoteDevice final : public Device, public InspectingDevice {
 public:
  RemoteDevice(ConnectionRef connection, ConnectionRef builder, DeviceInfo info,
               const EngineHostSettings& settings)
      : connection_(std::move(connection)),
        builder_(std::move(builder)),
        info_(std::move(info)),
        compile_time_(settings.compile.max_time),
        patience_(settings.patience) {}

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource& source,
                      Effort effort) override;
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView binary) override;
  Result<KeptInputRef> Keep(const InputBytes& input) override;
  Result<std::unique_ptr<Dispatch>> Allocate(const PipelineRef& pipeline,
                                             const DispatchShape& shape) override;
  Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override;
  Result<LaunchReport> Await() override;
  Status Adopt(Dispatch& dispatch, const PipelineRef& pipeline) override;
  void Stop() override;
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(
      Dispatch& dispatch, std::span<const uint32_t> seats) override;
  Result<std::vector<Status>> ImportLanes(Dispatch& dispatch,
                                          std::span<const LanePlace> lanes) override;
  Telemetry Sample() override;
  Result<Inspection> Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                             const InspectionRequest& request) override;

 private:
  Result<std::vector<Status>> ImportCopied(Dispatch& dispatch, std::span<const LanePlace> lanes);
  Result<std::vector<Status>> ImportLent(Dispatch& dispatch, std::span<const LanePlace> lanes,
                                         int shared);
  Result<std::vector<Status>> PutLanes(Dispatch& dispatch, wasmburst::engine::Request request,
                                       int fd);

  const ConnectionRef connection_;
  const ConnectionRef builder_;  // the same, or of a host that builds and runs nothing
  const DeviceInfo info_;
  const std::chrono::milliseconds compile_time_;
  const std::chrono::nanoseconds patience_;
  // Launches that were begun and not awaited: the ids of their requests, and the time that each may
  // take.
  std::deque<std::pair<uint64_t, std::chrono::nanoseconds>> launches_;
};

}  // namespace wb
