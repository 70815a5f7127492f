#pragma once

// Results -> protobuf.

#include "daemon/store/job_store.h"

namespace wasmburst::v1 {
class InstanceResult;
class ReadResultsResponse;
}  // namespace wasmburst::v1

namespace wb {

// `shown_steps`: results of later steps are left out (JobRequest::shown_steps), and an instance
// that ended in a later one ended behind them. `recorded`: of the job; the output that holds them
// becomes calls.
void ResultToProto(const InstanceResult& result, size_t shown_steps,
                   wasmburst::v1::InstanceResult* proto,
                   const std::vector<RecordedImport>& recorded = {});
// The results of the row, which are the job's, and the cursor after them.
void RowToProto(const ResultRow& row, const JobInfo& job,
                wasmburst::v1::ReadResultsResponse* proto);

}  // namespace wb
