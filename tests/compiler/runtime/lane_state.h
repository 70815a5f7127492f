#pragma once

// The state of several lanes as the host sees it: finds every word and byte by the layout's
// definition, apart from the runtime text. Include after layout_under_test.h.

#include <cstdint>
#include <vector>

#include "compiler/abi/lane.h"

namespace wb {

#if WB_TEST_INTERLEAVED
inline constexpr bool kInterleaved = true;
#else
inline constexpr bool kInterleaved = false;
#endif
inline constexpr uint32_t kMemoryAt = 1024;
inline constexpr uint32_t kGlobalsAt = 20;

class LaneState {
 public:
  LaneState(uint32_t lanes, uint32_t pages)
      : lane_words_(kMemoryAt + uint64_t{pages} * (abi::PAGE_BYTES / 4)),
        words_((lanes + 31) / 32 * 32 * lane_words_, 0) {}

  uint64_t lane_words() const { return lane_words_; }
  uint32_t* data() { return words_.data(); }
  const std::vector<uint32_t>& words() const { return words_; }
  void Fill(uint32_t value) { words_.assign(words_.size(), value); }

  uint32_t& Word(uint32_t lane, uint64_t word) {
    const uint64_t at = kInterleaved ? (lane / 32 * lane_words_ + word) * 32 + lane % 32
                                     : lane * lane_words_ + word;
    return words_[at];
  }
  uint8_t Byte(uint32_t lane, uint32_t address) {
    return static_cast<uint8_t>(Word(lane, kMemoryAt + address / 4) >> (address % 4 * 8));
  }
  void SetByte(uint32_t lane, uint32_t address, uint8_t value) {
    uint32_t& word = Word(lane, kMemoryAt + address / 4);
    const uint32_t shift = address % 4 * 8;
    word = (word & ~(0xffu << shift)) | static_cast<uint32_t>(value) << shift;
  }

 private:
  uint64_t lane_words_;
  std::vector<uint32_t> words_;
};

}  // namespace wb
