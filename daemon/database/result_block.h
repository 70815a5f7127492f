#pragma once

// Results as bytes, as they lie on the disk. A block holds results of one job, in the order in
// which they came. What most results have in common with the one before costs one bit.
//
// Pure.

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/job/result_batch.h"

namespace wb {

class ResultBlockWriter {
 public:
  ResultBlockWriter();
  ~ResultBlockWriter();
  void Add(const InstanceResult& result);
  uint64_t count() const { return count_; }
  size_t size() const;
  Bytes Take() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
  uint64_t count_ = 0;
};

// The results of instances that ended alike, as a block.
Bytes RangeBlock(const EndedRange& range);

// The results of a block behind the first `skip` of them, `most` at most. IO_ERROR: the bytes are
// no block.
Result<std::vector<InstanceResult>> ReadResultBlock(ByteView block, uint64_t skip, uint64_t most);

}  // namespace wb
