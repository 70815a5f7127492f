#pragma once

// Which instances of a job a profile is made of. Pure.

#include <cstdint>
#include <vector>

namespace wb {

// `wanted` of the numbers [0, instances), spread evenly and rising; all of them if there are fewer.
// `wanted` is at most ProfileLimits::kMostInstances, `instances` at most kMaxInstances.
std::vector<uint64_t> SampleOf(uint64_t instances, uint64_t wanted);

}  // namespace wb
