#pragma once

// The settings of a daemon that is one of several. Pure.

#include <string>

#include "compiler/base/status.h"
#include "daemon/config/config.h"

namespace wb {

// CONFIG_INVALID: the name is none, or there is nothing that the daemons could share.
Status CheckCluster(const Config& config);

// What the ids of this daemon's devices begin with: "node1/"; alone "".
std::string DevicePrefix(const Config& config);

}  // namespace wb
