#pragma once

// Results -> protobuf.

#include "daemon/store/job_store.h"

namespace wasmburst::v1 {
class InstanceResult;
class ReadResultsResponse;
}  // namespace wasmburst::v1

namespace wb {

void ResultToProto(const InstanceResult& result, wasmburst::v1::InstanceResult* proto);
// The results of the row, and the cursor after them.
void RowToProto(const ResultRow& row, const std::string& job_id,
                wasmburst::v1::ReadResultsResponse* proto);

}  // namespace wb
