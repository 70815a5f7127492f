#pragma once

// Results as a daemon sends them in columns (ResultColumns), as whole results. Pure.

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {

// The message with its columns as results, in their order. INTERNAL: the columns do not fit
// together.
Result<wasmburst::v1::ReadResultsResponse> WholeResults(
    const wasmburst::v1::ReadResultsResponse& message);

}  // namespace wb
