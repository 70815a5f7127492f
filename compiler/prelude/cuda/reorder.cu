
// ---- CUDA: the words of memories from rows into tiles, or back, in place. `memory` is where it begins
// in the first of so many groups, `tiles` how many of them each has. A warp moves a tile of each of its
// lanes at a time: what all read is there before any writes.
extern "C" __global__ void wb_reorder(uint* memory, ulong group_words, ulong tiles, uint groups,
                                      uint into_tiles) {
  const uint lane = threadIdx.x % 32;
  const uint warps = blockDim.x / 32;
  for (uint group = blockIdx.y; group < groups; group += gridDim.y) {
    uint* first = memory + group * group_words;
    for (ulong at = blockIdx.x * warps + threadIdx.x / 32; at < tiles; at += gridDim.x * warps) {
      uint* tile = first + at * (32 * WB_TILE_WORDS);
      uint words[WB_TILE_WORDS];
      for (uint i = 0; i < WB_TILE_WORDS; ++i)
        words[i] = tile[into_tiles ? i * 32 + lane : lane * WB_TILE_WORDS + i];
      __syncwarp();
      for (uint i = 0; i < WB_TILE_WORDS; ++i)
        tile[into_tiles ? lane * WB_TILE_WORDS + i : i * 32 + lane] = words[i];
    }
  }
}
