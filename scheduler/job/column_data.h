#pragma once

// The values of a long column in one piece of memory: immutable, and shared by every job that uses
// them.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "scheduler/base/unique_fd.h"
#include "scheduler/devices/kept_input.h"

namespace wb {

struct FreeBlock {
  size_t mapped = 0;  // bytes of a mapping; 0: of the heap
  void operator()(uint8_t* bytes) const;
};

// Memory whose size is known beforehand, readable to the end of its last word. Untouched pages of
// it cost nothing. A large one is shared memory, which engine hosts map instead of a copy.
struct ByteBlock {
  static constexpr size_t kSharedFrom = size_t{16} << 20;

  std::unique_ptr<uint8_t[], FreeBlock> bytes;
  size_t size = 0;
  UniqueFd shared;  // not ok(): no other process can map it

  static ByteBlock Of(size_t size);  // not initialised
};

class ColumnData {
 public:
  // `count` numbers of `width` bytes each (4 or 8), the least significant byte first, from the
  // block's beginning.
  static std::shared_ptr<const ColumnData> Numbers(ByteBlock block, uint32_t width, uint64_t count);
  // Byte strings that lie one behind the other from the block's beginning; `ends` says where each
  // ends. `digest`: of the bytes or of a message that they came in; none: nobody knows.
  static std::shared_ptr<const ColumnData> Strings(ByteBlock block, std::vector<uint64_t> ends,
                                                   std::optional<Digest> digest = std::nullopt);

  uint64_t count() const { return width_ != 0 ? count_ : ends_.size(); }
  uint64_t Number(uint64_t at) const;  // zero-extended
  ByteView String(uint64_t at) const;
  // The one string of these, as devices keep it; `data` is not null.
  static InputBytes OnlyString(const std::shared_ptr<const ColumnData>& data);
  uint64_t longest() const { return longest_; }  // bytes of the longest string
  uint64_t held_bytes() const { return block_.size + ends_.capacity() * sizeof(uint64_t); }

 private:
  explicit ColumnData(ByteBlock block) : block_(std::move(block)) {}

  const ByteBlock block_;
  uint32_t width_ = 0;  // 0: strings
  uint64_t count_ = 0;
  uint64_t longest_ = 0;
  std::vector<uint64_t> ends_;
  std::optional<Digest> digest_;
};

}  // namespace wb
