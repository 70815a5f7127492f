#pragma once

// NVIDIA's management library, opened at run time. A call that it lacks stays null.

#include <memory>
#include <string>

#include "compiler/base/status.h"

namespace wb {

struct NvmlUtilisation {
  unsigned gpu = 0;  // percent of the last moments with a kernel running
  unsigned memory = 0;
};
struct NvmlMemory {
  unsigned long long total = 0, free = 0, used = 0;
};

// nvmlClocksThrottleReasons: hardware slowdown, thermal slowdown by software and by hardware, power
// brake. Not the power cap, which GPUs under load are at as a rule: watts say that.
inline constexpr unsigned long long kNvmlSlowedDown = 0x08 | 0x20 | 0x40 | 0x80;

struct Nvml {
#define WB_NVML(member, name, parameters) int(*member) parameters = nullptr;
#include "scheduler/sensors/nvml.def"
#undef WB_NVML
};
using NvmlRef = std::shared_ptr<const Nvml>;

// CONFIG_INVALID, with every place looked at, when there is none or it does not start.
Result<NvmlRef> OpenNvml(const std::string& path);

}  // namespace wb
