#pragma once

// Which instances a block's results are of, as bytes: ranges, each by its distance from the one
// before and its length. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/job/instance_set.h"
#include "scheduler/job/job.h"

namespace wb {

// In ascending order where the results are.
std::vector<InstanceRange> RangesOf(const std::vector<uint64_t>& instances, size_t from, size_t to);
std::string EncodeInstances(const std::vector<InstanceRange>& ranges);
// Adds them to the set. IO_ERROR: the bytes are damaged.
Status AddInstances(std::string_view text, InstanceSet* set);

}  // namespace wb
