#pragma once

// Where metrics and health are served, and the rule of what is allowed: nobody is asked there who
// he is, so the address must be one that only this machine reaches.

#include <string_view>

#include "compiler/base/status.h"
#include "daemon/config/address.h"

namespace wb {

// "127.0.0.1:PORT", "[::1]:PORT", "localhost:PORT", "unix:///absolute/path". CONFIG_INVALID for
// anything else.
Result<ListenAddress> ParseMetricsAddress(std::string_view text);

}  // namespace wb
