#pragma once

// Results as bytes, as they lie on the disk. A block holds results of one job, in the order in
// which they came, as columns (packed_numbers.h): what results have in common is written once.
//
// Pure.

#include <cstdint>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/job/result_batch.h"

namespace wb {

// Rows [from, to) of the batch; at least one, and at most kMostBlockResults.
Bytes ResultBlock(const ResultBatch& results, size_t from, size_t to);
inline constexpr size_t kMostBlockResults = size_t{1} << 20;

// The results of instances that ended alike, as a block.
Bytes RangeBlock(const EndedRange& range);

// A block's results behind the first `skip` of them: the rows of `results` from `from` on. Of a
// range, which may be long, `most` at most.
struct BlockRows {
  ResultBatch results;
  size_t from = 0;
  size_t size() const { return results.size() - from; }
};
// IO_ERROR: the bytes are no block.
Result<BlockRows> ReadResultBlock(ByteView block, uint64_t skip, uint64_t most);

}  // namespace wb
