#pragma once

// What the kernel that reorders memories does (compiler/prelude/cuda/reorder.cu).

#include <cstdint>

namespace wb::test {

// `tiles` tiles of the lanes of one group, from words in rows, one of each lane, into words that
// lie side by side in their lane, or back.
void ReorderTiles(uint32_t* words, uint64_t tiles, bool into_tiles);

}  // namespace wb::test
