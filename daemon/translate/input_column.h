#pragma once

// An uploaded input as a column.

#include <functional>

#include "compiler/base/status.h"
#include "scheduler/job/job.h"

namespace wb {

// Asked before more memory is taken; an error ends the reading.
using TakeMemory = std::function<Status(uint64_t bytes)>;

// `block` holds the bytes of one Column message (program.proto), not one that is itself `uploaded`,
// and `digest` is of these. It may be longer than the 2 GiB that protobuf writes: lengths have 64
// bits. Lists and byte strings stay in the memory that they came in: they are moved together there.
// MALFORMED_REQUEST; INVALID_ARGUMENT with "field"; what `take` answers.
Result<Column> ReadInputColumn(ByteBlock block, const Digest& digest, const TakeMemory& take);

}  // namespace wb
