#pragma once

// BlockReader: the blocks of the memories in an image's words, one after the other (lane_image.h).
// The words were checked, so that all blocks of which there is a bit are there.

#include <cstdint>
#include <span>

#include "scheduler/devices/migration/image_words.h"

namespace wb {

class BlockReader {
 public:
  // `memories_at`: the word where the first memory's bits begin. The words outlive it.
  BlockReader(std::span<const uint32_t> words, uint64_t memories_at)
      : words_(words), at_(memories_at) {}

  // Goes on to the next memory, which has so many pages. What is left of the one before is passed.
  void BeginMemory(uint64_t pages) {
    while (block_ < blocks_) (void)Next();
    bits_ = words_.data() + at_;
    at_ += BitWords(pages);
    block_ = 0;
    blocks_ = pages * kPageBlocks;
  }
  // The words of the memory's next block. Null: it is zero, or the memory has ended.
  const uint32_t* Next() {
    const uint64_t block = block_++;
    if (block >= blocks_ || !HasBlock(bits_, block)) return nullptr;
    at_ += kBlockWords;
    return words_.data() + at_ - kBlockWords;
  }

 private:
  const std::span<const uint32_t> words_;
  uint64_t at_;
  const uint32_t* bits_ = nullptr;
  uint64_t block_ = 0;
  uint64_t blocks_ = 0;
};

}  // namespace wb
