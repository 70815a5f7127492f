#include "scheduler/devices/device.h"

namespace wb {

std::string_view EngineName(Engine engine) {
  switch (engine) {
    case Engine::kCpu: return "cpu";
    case Engine::kInterpreter: return "interpreter";
    case Engine::kCuda: return "cuda";
    case Engine::kMetal: return "metal";
  }
  return "unknown";
}

// For devices that share this process's memory.
Result<KeptInputRef> Device::Keep(const InputBytes& input) {
  return KeptInputRef(std::make_shared<MappedInput>(input));
}

Result<std::vector<std::optional<LaneImage>>> Device::ExportLanes(Dispatch&,
                                                                  std::span<const uint32_t> seats) {
  return std::vector<std::optional<LaneImage>>(seats.size());
}

Result<std::vector<Status>> Device::ImportLanes(Dispatch&, std::span<const LanePlace> lanes) {
  const Status cannot(Reason::kInvalidArgument, "The device takes no lanes in.");
  return std::vector<Status>(lanes.size(), cannot);
}

std::string KindOf(const DeviceInfo& info) {
  return std::string(EngineName(info.engine)) + " " + info.name + ", " + info.target + ", " +
         std::to_string(info.threads);
}

uint32_t FullWidth(const DeviceInfo& info) {
  constexpr uint32_t kPartOfThreads = 4;
  return IsGpu(info.engine) ? std::max(info.threads / kPartOfThreads, 1u) : info.threads;
}

Status Device::Adopt(Dispatch&, const PipelineRef&) {
  return Status(Reason::kInternal, "The device adopts no pipelines.");
}

}  // namespace wb
