#pragma once

// The values of a long column in one piece of memory: immutable, and shared by every job that uses
// them.

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb {

// Memory whose size is known beforehand. Untouched pages of it cost nothing.
struct ByteBlock {
  std::unique_ptr<uint8_t[]> bytes;
  size_t size = 0;

  static ByteBlock Of(size_t size);  // not initialised
};

class ColumnData {
 public:
  // `count` numbers of `width` bytes each (4 or 8), the least significant byte first, from the
  // block's beginning.
  static std::shared_ptr<const ColumnData> Numbers(ByteBlock block, uint32_t width, uint64_t count);
  // Byte strings that lie one behind the other from the block's beginning; `ends` says where each
  // ends.
  static std::shared_ptr<const ColumnData> Strings(ByteBlock block, std::vector<uint64_t> ends);

  uint64_t count() const { return width_ != 0 ? count_ : ends_.size(); }
  uint64_t Number(uint64_t at) const;  // zero-extended
  ByteView String(uint64_t at) const;
  uint64_t longest() const { return longest_; }  // bytes of the longest string
  uint64_t held_bytes() const { return block_.size + ends_.capacity() * sizeof(uint64_t); }

 private:
  explicit ColumnData(ByteBlock block) : block_(std::move(block)) {}

  const ByteBlock block_;
  uint32_t width_ = 0;  // 0: strings
  uint64_t count_ = 0;
  uint64_t longest_ = 0;
  std::vector<uint64_t> ends_;
};

}  // namespace wb
