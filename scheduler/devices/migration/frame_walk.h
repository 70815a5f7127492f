#pragma once

// FrameMap: which frames a lane's stack has (compiler/ir/ir.h, abi::LINK_*). They are counted and
// checked before an instance resumes them. It is of one module, and immutable.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/compiler.h"

namespace wb {

// Words of one lane: word w is at first[w * stride]. Where the lane's memories are tiled, so many
// of their words lie side by side in place of one (layout_tiled.metal).
struct LaneWords {
  uint32_t* first = nullptr;
  uint64_t stride = 1;
  uint32_t tile = 1;         // words side by side
  uint32_t memory_tile = 1;  // the same of the lane's memories
  uint32_t in_group = 0;     // the lane's number in its group, where memories are tiled

  uint32_t& at(uint64_t word) const {
    const uint64_t in_tile = word % tile;
    return first[(word - in_tile) * stride + in_tile];
  }
  // From a word on that is a multiple of `tile`.
  LaneWords from(uint64_t word) const {
    return {first + word * stride, stride, tile, memory_tile, in_group};
  }
  // From a word of the lane on at which a memory begins, or a block of one.
  LaneWords memory_from(uint64_t word) const {
    return {first + word * stride + in_group * (memory_tile - 1), stride, memory_tile};
  }
};

// A root, as the header or a link has it.
struct RootWords {
  uint32_t function = 0;
  uint32_t base = 0;
  uint32_t used = 0;  // 8-byte slots of the stack that were taken when it was called
};

class FrameMap {
 public:
  explicit FrameMap(const LoweredModule& module);

  struct Extent {
    uint64_t words = 0;           // that frames take
    uint64_t slots = 0;           // of the stack that they stand for
    std::vector<uint64_t> links;  // the first word of each
  };
  // Walks the frames from the innermost root down and up again. `capacity`: slots of the stack; a
  // link's room is the difference to it. nullopt: no sound engine leaves such frames. It looks at
  // no word from `words` on.
  std::optional<Extent> Walk(const LaneWords& frames, uint64_t words, const RootWords& innermost,
                             uint32_t capacity) const;
  // The same from the root that a lane's header names. There are no frames if it resumes no call.
  std::optional<Extent> WalkFrom(const LaneWords& head, const LaneWords& frames, uint64_t words,
                                 uint32_t capacity) const;

 private:
  struct Frame {
    uint32_t words = 0;  // 0: it never leaves
    uint32_t slots = 0;
    bool recursive = false;
    uint32_t first_safepoint = 0;  // of its own in callees_
    uint32_t safepoints = 0;
  };
  static constexpr uint32_t kNone = ~0u;

  const Frame* FrameOf(uint32_t function) const;
  // The frames of a root, up to the innermost one. Where another root is called above it: up to
  // that call.
  bool WalkRoot(const LaneWords& frames, uint64_t words, uint32_t function, bool calls_root,
                Extent& extent) const;
  std::optional<std::vector<RootWords>> RootsOf(const LaneWords& frames, uint64_t words,
                                                const RootWords& innermost,
                                                uint32_t capacity) const;

  uint32_t imported_ = 0;
  std::vector<Frame> frames_;
  std::vector<uint32_t> callees_;  // by safepoint: the function called there, or kNone
};

}  // namespace wb
