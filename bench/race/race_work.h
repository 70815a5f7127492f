#pragma once

#include <cstdint>
#include <string>

#include "bench/cuda/probe_work.h"
#include "bench/race/kernel_list.h"

namespace wb::bench {

// Instances 0 to `lanes` of a kernel, whose module is in the folder.
Work WorkOf(const RaceKernel& kernel, const std::string& folder, uint32_t lanes);

}  // namespace wb::bench
