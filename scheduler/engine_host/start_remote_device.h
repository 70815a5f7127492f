#pragma once

// Starts the processes of a device, and the device behind them (remote_device.h).

#include <functional>

#include "scheduler/devices/inspection.h"
#include "scheduler/devices/started_device.h"
#include "scheduler/engine_host/host_settings.h"

namespace wb {

// Starts an engine host with a device that is ready, or two: where they are isolated, devices of
// the cpu and cuda engines have one that runs and one that builds. `on_lost`: see DeviceStarter.
// Errors: IO_ERROR or MACHINE_FAULT when it does not start; the device's own, such as
// CONFIG_INVALID without a compiler.
Result<StartedDevice> StartRemoteDevice(const EngineHostSettings& settings,
                                        std::function<void()> on_lost);
// The same for an interpreter that inspects.
Result<StartedInspection> StartRemoteInspection(const EngineHostSettings& settings,
                                                std::function<void()> on_lost);

}  // namespace wb
