#pragma once

// Words of lanes and of their images, as LaneMap, LaneVerifier and LaneCodec read and write them. A
// memory is in blocks. An image holds the blocks that are not zero, and a bit for each block.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "compiler/abi/lane.h"
#include "compiler/abi/lane_layout.h"
#include "scheduler/devices/migration/frame_walk.h"

namespace wb {

inline constexpr uint64_t kBlockBytes = 4096;
inline constexpr uint64_t kBlockWords = kBlockBytes / sizeof(uint32_t);
inline constexpr uint64_t kPageBlocks = kWordsPerPage / kBlockWords;

// Words of a record that belong to the lane in which the instance was left, or say what it waits
// for there.
inline constexpr std::array<uint32_t, 4> kOfSeat = {abi::RECORD_QUEUED, abi::RECORD_WANTED_PAGES,
                                                    abi::RECORD_TURN, abi::RECORD_LANE};

// Visits the first `words` words in rows of those that lie side by side, until a visit says false.
// `visit`: (first word of the row, its number, words of the row) -> bool. The result: all said
// true. LaneWords::at divides for each word, this does not.
template <typename Visit>
bool VisitRows(const LaneWords& lane, uint64_t words, const Visit& visit) {
  if (lane.stride == 1) return visit(lane.first, uint64_t{0}, words);
  if (lane.tile == 1) {  // apart, so that a compiler knows of one word a row
    for (uint64_t w = 0; w < words; ++w) {
      if (!visit(lane.first + w * lane.stride, w, uint64_t{1})) return false;
    }
    return true;
  }
  for (uint64_t w = 0; w < words; w += lane.tile) {
    const uint64_t row_words = std::min<uint64_t>(lane.tile, words - w);
    if (!visit(lane.first + w * lane.stride, w, row_words)) return false;
  }
  return true;
}

inline void CopyWords(const LaneWords& from, const LaneWords& to, uint64_t words) {
  if (from.stride == 1) {
    VisitRows(to, words, [&](uint32_t* row, uint64_t first, uint64_t count) {
      std::copy_n(from.first + first, count, row);
      return true;
    });
  } else if (to.stride == 1) {
    VisitRows(from, words, [&](const uint32_t* row, uint64_t first, uint64_t count) {
      std::copy_n(row, count, to.first + first);
      return true;
    });
  } else {
    for (uint64_t w = 0; w < words; ++w) to.at(w) = from.at(w);
  }
}

inline void ClearWords(const LaneWords& to, uint64_t words) {
  VisitRows(to, words, [](uint32_t* row, uint64_t /*first*/, uint64_t count) {
    std::fill_n(row, count, 0);
    return true;
  });
}

inline uint64_t BitWords(uint64_t pages) { return (pages * kPageBlocks + 31) / 32; }

inline bool HasBlock(const uint32_t* bits, uint64_t block) {
  return (bits[block / 32] >> (block % 32) & 1) != 0;
}

// An image's own words. Nothing is written through the result.
inline LaneWords ImageWords(std::span<const uint32_t> state, uint64_t at) {
  return {const_cast<uint32_t*>(state.data()) + at, 1};
}

// Changes the rooms of the innermost root and of all links, which count from a stack reserve.
inline void Rebase(const LaneWords& head, const LaneWords& frames, const FrameMap::Extent& extent,
                   uint32_t from, uint32_t to) {
  head.at(abi::LANE_ROOT_ROOM) += to - from;
  for (const uint64_t link : extent.links) frames.at(link + abi::LINK_ROOM) += to - from;
}

}  // namespace wb
