#pragma once

// Where things lie in a lane's state, which the compiler plans and engines lay out.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/abi/lane.h"

namespace wb {

// The highest stack budget of an instance, in 8-byte slots. Fuel paid on the way back through a
// whole stack must fit the counter (CheckFuelRange).
inline constexpr uint32_t kMaxStackSlots = 32768;

inline constexpr uint64_t kWordsPerPage = abi::PAGE_BYTES / sizeof(uint32_t);

// A part of memory 0, which a lane may hold in place of all of it: bytes [from, from + bytes), both
// multiples of kGranule. Accesses come to it from low() on. `from` lies kGranule before the end of
// what memory 0 begins with, at the latest.
struct MemoryWindow {
  static constexpr uint32_t kGranule = 4096;
  uint32_t from = 0;
  uint32_t bytes = 0;  // 0: none, the lane holds all

  bool is_all() const { return bytes == 0; }
  uint64_t low() const { return from == 0 ? 0 : uint64_t{from} + abi::WINDOW_MARGIN; }
  uint64_t end() const { return uint64_t{from} + bytes; }
  bool operator==(const MemoryWindow&) const = default;
};

// What an engine reserves in each lane for memories, in pages.
struct MemoryReserve {
  uint32_t pages = 0;            // memory 0, where the lane holds all of it
  uint32_t further_pages = ~0u;  // each other memory has so many more than it begins with
  uint32_t max_pages = 65536;    // the job's limit, of each memory by itself
  MemoryWindow window = {};
  bool operator==(const MemoryReserve&) const = default;
};

// What a memory begins with, and the most that it can have.
struct MemoryBounds {
  uint32_t min_pages = 0;
  uint32_t max_pages = 65536;
  bool operator==(const MemoryBounds&) const = default;
};

// Where things lie in a lane's state, in 32-bit words from its base. lane.def has the header.
// Frames of a module without recursion lie before its memory, in a room of exactly their size. With
// recursion the engine chooses the size of their room, which lies behind the memory reserve.
struct LaneLayout {
  uint32_t stage_at = 0;
  uint32_t globals_at = 0;  // globals, then tables; before them the reserves (abi::RESERVE_*)
  // Of a module whose instances compute with their group: GROUP_LANE and what follows, among the
  // globals; and where they share memory GROUP_MEMORY_WORDS behind the tables. 0: they do not.
  uint32_t group_at = 0;
  uint32_t group_memory_at = 0;
  uint32_t frames_at = 0;     // 0: behind the memory reserve
  uint32_t frames_words = 0;  // the most that they need, besides what the next line adds
  uint32_t frame_words_per_1024_slots = 0;  // of the stack; 0: no recursion
  uint32_t memory_at = 0;  // multiple of 1,024 words: a lane's memory begins on a 4 KiB boundary
  // Several memories, which lie one behind the other. Empty: at most one, which has all that is
  // reserved for memory 0.
  std::vector<MemoryBounds> memories;
  // Writes to the first memory are noted by spans of 2^span_shift bytes. 32 spans hold what a
  // module starts with; the spans behind them share their notes (abi::LANE_KEPT).
  uint32_t span_shift = 11;
  // Bytes of memory 0, of some of which texts have a copy (ir::ReadOnlyData): a write to them is
  // noted (abi::LANE_DATA_WRITTEN). Equal: there is no copy.
  uint32_t data_from = 0;
  uint32_t data_end = 0;
  bool operator==(const LaneLayout&) const = default;

  bool recursive() const { return frame_words_per_1024_slots != 0; }
  uint32_t MemoryCount() const {
    return memories.empty() ? 1 : static_cast<uint32_t>(memories.size());
  }

  // Pages that the reserve has for a memory, as wb_reset_memories computes them. None is given more
  // than it can use.
  uint32_t PagesOf(uint32_t memory, const MemoryReserve& reserve) const {
    if (memories.empty()) return reserve.pages;
    const MemoryBounds& its = memories[memory];
    if (memory == 0) return std::min(reserve.pages, its.max_pages);
    const uint32_t most = std::min(its.max_pages, reserve.max_pages);
    return its.min_pages +
           std::min(std::max(most, its.min_pages) - its.min_pages, reserve.further_pages);
  }
  // The word where a memory begins, or where the window into memory 0 does.
  uint64_t MemoryAt(uint32_t memory, const MemoryReserve& reserve) const {
    if (memory == 0) return memory_at;
    uint64_t pages = reserve.window.is_all() ? PagesOf(0, reserve) : 0;
    for (uint32_t before = 1; before < memory; ++before) pages += PagesOf(before, reserve);
    return memory_at + reserve.window.bytes / sizeof(uint32_t) + pages * kWordsPerPage;
  }
  // Words of all memories' reserves.
  uint64_t MemoryWords(const MemoryReserve& reserve) const {
    return MemoryAt(MemoryCount(), reserve) - memory_at;
  }
  uint64_t FramesAt(const MemoryReserve& reserve) const {
    return recursive() ? MemoryAt(MemoryCount(), reserve) : frames_at;
  }
  uint64_t FramesWords(uint32_t slots) const {
    return frames_words + (uint64_t{slots} * frame_words_per_1024_slots + 1023) / 1024;
  }
  // Words of a lane with this room for its memories and, with recursion, for `slots` of stack.
  uint64_t LaneWords(const MemoryReserve& reserve, uint32_t slots) const {
    const uint64_t behind = recursive() ? (FramesWords(slots) + 1023) / 1024 * 1024 : 0;
    return memory_at + MemoryWords(reserve) + behind;
  }
};

}  // namespace wb
