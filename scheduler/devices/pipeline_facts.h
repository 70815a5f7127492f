#pragma once

#include <cstdint>

namespace wb {

// What a device knows of a pipeline that it has loaded. 0: it does not know, or has no such thing.
struct PipelineFacts {
  uint64_t code_bytes = 0;  // of what was loaded: a shared object, cubins
  // Of a GPU's kernel, for each lane: registers, and bytes of memory of its own; for each block:
  // bytes of shared memory that are always taken.
  uint32_t registers = 0;
  uint32_t local_bytes = 0;
  uint32_t shared_bytes = 0;
  uint32_t block_threads = 0;        // of a block where a launch names no size
  uint32_t lanes_per_processor = 0;  // that have room on it at a time, in such blocks
  bool operator==(const PipelineFacts&) const = default;
};

}  // namespace wb
