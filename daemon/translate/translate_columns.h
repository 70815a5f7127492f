#pragma once

// Results as columns -> protobuf. Results are copied word by word; an object is made for each shape
// and each output, and for nothing else.

#include "daemon/store/job_store.h"

namespace wasmburst::v1 {
class ResultColumns;
}  // namespace wasmburst::v1

namespace wb {

// The rows of the slice, which are the job's.
void ColumnsToProto(const ResultSlice& slice, const JobRequest& request,
                    wasmburst::v1::ResultColumns* proto);

}  // namespace wb
