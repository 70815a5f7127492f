#pragma once

// Results that were read together -> a message.

#include "daemon/store/job_store.h"

namespace wasmburst::v1 {
class ReadResultsResponse;
}  // namespace wasmburst::v1

namespace wb {

// The results of the row, which are the job's, in this form, and the cursor after them.
void RowToProto(const ResultRow& row, const JobInfo& job, ResultForm form,
                wasmburst::v1::ReadResultsResponse* proto);

}  // namespace wb
