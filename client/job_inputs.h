#pragma once

// Which columns of a job travel by themselves, and in which bytes. Pure.

#include <climits>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wasmburst::v1 {
class Column;
class CreateJobRequest;
}  // namespace wasmburst::v1

namespace wb {

// The fewest columns whose absence leaves a request of at most `most` bytes, as indices in their
// order: the largest ones. Columns that are small stay whatever the request's size.
std::vector<int> ColumnsToUpload(const wasmburst::v1::CreateJobRequest& request, size_t most);

// The column as one message. Byte strings may make it longer than `most`, which protobuf can write
// itself: lengths have 64 bits then. nullopt: it is longer, and holds something else.
std::optional<std::string> InputMessage(const wasmburst::v1::Column& column, size_t most = INT_MAX);

}  // namespace wb
