#pragma once

// What is uploaded as an input, written in parts, so that nobody needs to hold it. Pure.

#include <climits>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/status.h"

namespace wasmburst::v1 {
class Column;
}  // namespace wasmburst::v1

namespace wb {

// Takes the next bytes, which are there during the call. After an error it takes no more.
using TakePart = std::function<Status(std::string_view part)>;

struct InputSource {
  std::string name;    // what messages call it: "The file [data]"
  uint64_t bytes = 0;  // of all parts
  // Hands over all parts in their order, and the same ones each time: once for their digest, once
  // for each attempt to send them. Ends with the first error of `take`, or of its own.
  std::function<Status(const TakePart& take)> write;
};

// The message of a column, which must outlive the source. Byte strings may make it longer than
// `most`, which protobuf can write itself: lengths have 64 bits then. nullopt: it is longer, and
// holds something else.
std::optional<InputSource> SourceOf(const wasmburst::v1::Column& column, size_t most = INT_MAX);

// The message of a column of one byte string, which `value` writes.
InputSource ColumnSource(const InputSource& value);

}  // namespace wb
