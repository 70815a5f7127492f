#pragma once

// The metal engine: kernel text compiled by Metal at run time, run on a Mac's GPU in slices of 10
// to 50 ms. devices/docs/on_a_mac.md says what of it never ran.

#include <memory>

#include "compiler/base/status.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/metal/metal_settings.h"

namespace wb {

// CONFIG_INVALID where there is no such GPU.
Result<std::unique_ptr<Device>> CreateMetalDevice(const MetalSettings& settings);

}  // namespace wb
