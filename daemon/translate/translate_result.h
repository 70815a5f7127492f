#pragma once

// A result -> protobuf.

#include <vector>

#include "compiler/link/binding.h"
#include "scheduler/job/job.h"

namespace wasmburst::v1 {
class InstanceResult;
}  // namespace wasmburst::v1

namespace wb {

// `shown_steps`: results of later steps are left out (JobRequest::shown_steps), and an instance
// that ended in a later one ended behind them. `recorded`: of the job; the output that holds them
// becomes calls.
void ResultToProto(const InstanceResult& result, size_t shown_steps,
                   wasmburst::v1::InstanceResult* proto,
                   const std::vector<RecordedImport>& recorded = {});

}  // namespace wb
