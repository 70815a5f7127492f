#pragma once

// Which columns of a job travel by themselves. Pure.

#include <cstddef>
#include <vector>

namespace wasmburst::v1 {
class CreateJobRequest;
}  // namespace wasmburst::v1

namespace wb {

// The fewest columns whose absence leaves a request of at most `most` bytes, as indices in their
// order: the largest ones. Columns that are small stay whatever the request's size.
std::vector<int> ColumnsToUpload(const wasmburst::v1::CreateJobRequest& request, size_t most);

}  // namespace wb
