#pragma once

// The state of several lanes as the host sees it: finds every word and byte by the layout's
// definition, apart from the runtime text. Include after layout_under_test.h.

#include <cstdint>
#include <new>
#include <vector>

#include "compiler/abi/lane.h"

namespace wb {

#if WB_TEST_TILED
inline constexpr uint32_t kTile = abi::TILE_WORDS;
#else
inline constexpr uint32_t kTile = 1;
#endif
#if WB_TEST_INTERLEAVED
inline constexpr bool kInterleaved = true;
#else
inline constexpr bool kInterleaved = false;
#endif
inline constexpr uint32_t kMemoryAt = 1024;
inline constexpr uint32_t kGlobalsAt = 20;

// At a multiple of 128 bytes.
template <class Word>
struct WhereStateBegins {
  using value_type = Word;
  static constexpr std::align_val_t kAlignment{128};
  Word* allocate(size_t count) {
    return static_cast<Word*>(::operator new(count * sizeof(Word), kAlignment));
  }
  void deallocate(Word* words, size_t) { ::operator delete(words, kAlignment); }
  bool operator==(const WhereStateBegins&) const = default;
};

class LaneState {
 public:
  LaneState(uint32_t lanes, uint32_t pages)
      : lane_words_(kMemoryAt + uint64_t{pages} * (abi::PAGE_BYTES / 4)),
        words_((lanes + 31) / 32 * 32 * lane_words_) {}

  uint64_t lane_words() const { return lane_words_; }
  uint32_t* data() { return words_.data(); }
  std::vector<uint32_t> words() const { return {words_.begin(), words_.end()}; }
  void Fill(uint32_t value) { words_.assign(words_.size(), value); }

  uint32_t& Word(uint32_t lane, uint64_t word) {
    if (!kInterleaved) return data()[lane * lane_words_ + word];
    const uint64_t group = lane / 32 * lane_words_ * 32;
    const uint32_t tile = word < kMemoryAt ? 1 : kTile;
    return data()[group + (word / tile * 32 + lane % 32) * tile + word % tile];
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
  std::vector<uint32_t, WhereStateBegins<uint32_t>> words_;
};

}  // namespace wb
