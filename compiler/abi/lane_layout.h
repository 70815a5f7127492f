#pragma once

// Where things lie in a lane's state, which the compiler plans and engines lay out.

#include <cstdint>

namespace wb {

// The highest stack budget of an instance, in 8-byte slots. Fuel paid on the way back through a
// whole stack must fit the counter (CheckFuelRange).
inline constexpr uint32_t kMaxStackSlots = 32768;

// Where things lie in a lane's state, in 32-bit words from its base. lane.def has the header.
// Frames of a module without recursion lie before its memory, in a room of exactly their size. With
// recursion the engine chooses the size of their room, which lies behind the memory reserve.
struct LaneLayout {
  uint32_t stage_at = 0;
  uint32_t globals_at = 0;    // globals, then tables
  uint32_t frames_at = 0;     // 0: behind the memory reserve
  uint32_t frames_words = 0;  // the most that they need, besides what the next line adds
  uint32_t frame_words_per_1024_slots = 0;  // of the stack; 0: no recursion
  uint32_t memory_at = 0;  // multiple of 1,024 words: a lane's memory begins on a 4 KiB boundary
  uint32_t memories = 1;   // one behind the other, each with the same reserve
  // Writes to the first memory are noted by spans of 2^span_shift bytes. 32 spans hold what a
  // module starts with; the spans behind them share their notes (abi::LANE_KEPT).
  uint32_t span_shift = 11;
  bool operator==(const LaneLayout&) const = default;

  bool recursive() const { return frame_words_per_1024_slots != 0; }
  uint64_t FramesAt(uint32_t pages) const {
    return recursive() ? memory_at + MemoryWords(pages) : frames_at;
  }
  uint64_t FramesWords(uint32_t slots) const {
    return frames_words + (uint64_t{slots} * frame_words_per_1024_slots + 1023) / 1024;
  }
  // Words of all memories' reserves, if each is `pages`.
  uint64_t MemoryWords(uint32_t pages) const { return uint64_t{pages} * 16384 * memories; }
  // Words of a lane with room for `pages` of each memory and, with recursion, for `slots` of stack.
  uint64_t LaneWords(uint32_t pages, uint32_t slots) const {
    const uint64_t behind = recursive() ? (FramesWords(slots) + 1023) / 1024 * 1024 : 0;
    return memory_at + MemoryWords(pages) + behind;
  }
};

}  // namespace wb
