#pragma once

// The calls under way at a trap, as an interpreter that traces knows them (scheduler/trace).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wb {

struct TracedCall {
  uint32_t function = 0;  // in the module's function index space; synthetic functions follow it
  uint32_t offset = 0;    // of the instruction that trapped, or of the call; bytes in the module
  bool operator==(const TracedCall&) const = default;
};

// Innermost first. Of more calls than kMostTraced the outermost are left out.
using CallTrace = std::vector<TracedCall>;
inline constexpr size_t kMostTraced = 256;

}  // namespace wb
