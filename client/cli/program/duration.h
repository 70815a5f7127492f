#pragma once

// Times as people write them.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"

namespace wb::cli {

// "500ms", "10s", "2m", "1h", "30d" in nanoseconds; INVALID_ARGUMENT.
Result<int64_t> ParseDuration(const std::string& text);

}  // namespace wb::cli
