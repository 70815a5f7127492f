#pragma once

// Page sizes, page tokens and filters of the List methods (AIP-158, a corner of AIP-160).

#include <cstdint>
#include <string>

#include "compiler/base/status.h"

namespace wb {

// 0: 100; above 1,000: 1,000; below 0: INVALID_ARGUMENT.
Result<size_t> PageSize(int32_t asked);

// "state = RUNNING OR state = QUEUED" as a bit set over JobState; "": all. INVALID_ARGUMENT.
Result<uint32_t> ParseStateFilter(const std::string& filter);

struct JobPageToken {
  uint32_t states = 0;
  std::string after;  // job id
};
std::string MakeJobPageToken(const JobPageToken& token);
// INVALID_ARGUMENT when it is no token, or was given for another filter.
Result<std::string> ParseJobPageToken(const std::string& token, uint32_t states);

}  // namespace wb
