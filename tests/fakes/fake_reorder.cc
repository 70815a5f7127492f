#include "tests/fakes/fake_reorder.h"

#include <algorithm>

#include "compiler/abi/lane.h"

namespace wb::test {

// The caller knows that the tiles are there, and under a sanitizer this would be a third of the
// moving tests' time.
__attribute__((no_sanitize("address"))) __attribute__((no_sanitize("undefined"))) void ReorderTiles(
    uint32_t* words, uint64_t tiles, bool into_tiles) {
  constexpr uint32_t kLanes = abi::GROUP_LANES, kTile = abi::TILE_WORDS;
  for (uint64_t at = 0; at < tiles; ++at, words += kTile * kLanes) {
    uint32_t before[kTile * kLanes];
    std::copy_n(words, kTile * kLanes, before);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t i = 0; i < kTile; ++i) {
        const uint32_t in_tile = lane * kTile + i, in_row = i * kLanes + lane;
        words[into_tiles ? in_tile : in_row] = before[into_tiles ? in_row : in_tile];
      }
    }
  }
}

}  // namespace wb::test
