#pragma once

// The blocks of a kernel with hot bytes (compiler/docs/hot_bytes.md): as many lanes run on a
// processor as its shared memory has room for, which is seldom a whole number of groups.

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

struct HotBlock {
  uint32_t lanes = 0;         // of a block: a warp, or a part of one
  uint32_t of_processor = 0;  // blocks that run at a time
  uint32_t lanes_of_processor() const { return lanes * of_processor; }
  bool operator==(const HotBlock&) const = default;
};

// Of lanes that each have so many hot bytes, on GPUs of this compute capability (90 for 9.0). Of
// one that is not known, as on one that shares little.
HotBlock HotBlockOf(uint32_t hot_bytes, uint32_t capability);

// The compiler's flags for a kernel of such blocks (compiler/prelude/cuda/metal_stdlib). It says
// itself how many threads a block of it may have.
void AppendFlags(const HotBlock& block, std::vector<std::string>& flags);

}  // namespace wb
