#pragma once

// Small dispatches bring few results at a time, and each block on the disk costs: results of a job
// that come one after another become one event. Pure.

#include <vector>

#include "daemon/store/durable/job_changes.h"

namespace wb {

// An event of results takes those that come next for its job, up to kMostMerged altogether. All
// else stays as it is, and each job's events stay in order.
void MergeResults(std::vector<JobEvent>* events);
inline constexpr size_t kMostMerged = 8192;

}  // namespace wb
