#include "scheduler/devices/cpu/lane_device.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "compiler/base/check.h"

namespace wb {
namespace {

uint64_t HalfOfMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return uint64_t{1} << 30;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) / 2;
}

DeviceInfo Complete(DeviceInfo info) {
  if (info.threads == 0) info.threads = std::max(1u, std::thread::hardware_concurrency());
  if (info.memory_bytes == 0) info.memory_bytes = HalfOfMemory();
  info.moves_lanes = true;
  info.maps_inputs = true;
  return info;
}

LaneDispatch& LanesOf(Dispatch& dispatch) {
  auto* lanes = dynamic_cast<LaneDispatch*>(&dispatch);
  WB_CHECK(lanes != nullptr);
  return *lanes;
}

}  // namespace

LaneDevice::LaneDevice(DeviceInfo info, std::shared_ptr<HostMemory> memory)
    : info_(Complete(std::move(info))),
      memory_(memory != nullptr ? std::move(memory) : AnonymousHostMemory()),
      held_bytes_(std::make_shared<std::atomic<uint64_t>>(0)),
      kept_(std::make_shared<KeptMapping>(info_.memory_bytes / 4)),
      pool_(info_.threads) {}

Result<std::unique_ptr<Dispatch>> LaneDevice::Allocate(const PipelineRef& pipeline,
                                                       const DispatchShape& shape) {
  auto kernel = std::dynamic_pointer_cast<const LaneKernel>(pipeline);
  WB_CHECK(kernel != nullptr);
  WB_TRY(CheckShape(shape, kernel->module().program, info_.options));
  uint64_t bytes = 0;
  const auto available = [&] {
    return info_.memory_bytes - std::min(info_.memory_bytes, held_bytes_->load());
  };
  const bool is_sound = StateBytes(kernel->module().layout, info_.options.layout, shape, &bytes);
  const uint64_t needed = bytes + HostLayout::Of(shape).bytes;
  std::optional<KeptMapping::Lanes> known = kept_->Take(LanePlan::Of(kernel->module(), shape));
  if (known) known->memory.share = {};  // it counts for this dispatch
  if (needed > available()) kept_->Drop();
  if (!is_sound || needed > available()) return DoesNotFit(shape, available());
  BudgetShare share(held_bytes_, bytes + HostLayout::Of(shape).bytes);
  WB_ASSIGN(std::unique_ptr<LaneDispatch> dispatch,
            LaneDispatch::Create(std::move(kernel), info_.options.layout, shape, *memory_,
                                 std::move(share), std::move(known), kept_));
  return std::unique_ptr<Dispatch>(std::move(dispatch));
}

Result<LaunchReport> LaneDevice::Run(Dispatch& dispatch, const LaunchLimits& limits) {
  return pool_.Run(LanesOf(dispatch), limits, [this] { Started(); });
}

Result<std::vector<std::optional<LaneImage>>> LaneDevice::ExportLanes(
    Dispatch& dispatch, std::span<const uint32_t> seats) {
  return LanesOf(dispatch).ExportLanes(seats);
}

Result<std::vector<Status>> LaneDevice::ImportLanes(Dispatch& dispatch,
                                                    std::span<const LanePlace> lanes) {
  return LanesOf(dispatch).ImportLanes(lanes);
}

Telemetry LaneDevice::Sample() {
  kept_->DropOld(std::chrono::steady_clock::now());
  if (sensors_ == nullptr) sensors_ = OpenCpuSensors("", SystemClock());
  return sensors_->Read();
}

}  // namespace wb
