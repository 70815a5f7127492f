#pragma once

#include <algorithm>
#include <cstdint>

namespace wb {

// How much of a device a launch fills. Fewer lanes at a time are quicker where their memory then
// fits the caches.
struct Occupancy {
  // Queued seats: so many lanes take seats, rounded up to whole groups; the others end what they
  // hold, so no instance is left there for longer than an instance takes. 0: all lanes.
  uint32_t lanes = 0;
  uint32_t block_threads = 0;  // of a block where lanes come in blocks; 0: the device's own choice
  // The kernel that is compiled for few registers, where the pipeline has one: more lanes fit a
  // processor, and each keeps less of what it computes at hand.
  bool few_registers = false;
  // The kernel for which the words of lanes' memories lie in tiles (compiler/docs/tiles.md), where
  // the pipeline has one.
  bool tiled = false;
  // The kernel that keeps a lane's hot bytes in a processor's shared memory while a call runs
  // (compiler/docs/hot_bytes.md), where the pipeline has one. Few lanes fit a processor then.
  bool hot = false;

  uint32_t LanesOf(uint32_t all) const { return lanes == 0 ? all : std::min(lanes, all); }
  bool operator==(const Occupancy&) const = default;
};

}  // namespace wb
