#pragma once

// What the service Admin says of devices, and asks of them.

#include <chrono>
#include <functional>
#include <string>

#include "client/client.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb {

Result<wasmburst::v1::ListDevicesResponse> ListDevices(Client& client);
// Looks for new ones first.
Result<wasmburst::v1::ListDevicesResponse> FindDevices(Client& client);
// Names are "devices/cpu0". The deadline is for instances in seats; 0: none.
Result<wasmburst::v1::ChangeDeviceResponse> CordonDevice(Client& client, const std::string& name);
Result<wasmburst::v1::ChangeDeviceResponse> UncordonDevice(Client& client, const std::string& name);
Result<wasmburst::v1::ChangeDeviceResponse> DrainDevice(Client& client, const std::string& name,
                                                        std::chrono::nanoseconds deadline);

// False stops the stream (the result is then ok).
using OnBursts = std::function<bool(const wasmburst::v1::BurstEvent&)>;
// Every event once, across reconnections. After a break the daemon says how many bursts were
// missed.
Status WatchBursts(Client& client, wasmburst::v1::WatchBurstsRequest request,
                   const OnBursts& on_bursts);

}  // namespace wb
