#pragma once

// TouchedMemory: which part of memory 0 the instances of a program come to, as far as launches have
// shown, so that lanes need not hold the rest (MemoryWindow). Pure.

#include <cstdint>
#include <optional>

#include "compiler/abi/lane_layout.h"
#include "compiler/emit/plan/windows.h"
#include "compiler/ir/ir.h"

namespace wb {

// Instances of one launch that missed what their lanes held, and the bytes that they came to.
struct Misses {
  uint64_t instances = 0;
  uint64_t from = ~uint64_t{0};
  uint64_t end = 0;

  // `block`: abi::LANE_MISSED.
  void Add(uint32_t block);
  void Add(const Misses& more);
};

class TouchedMemory {
 public:
  // At first it is what the program itself names, and some of what lies behind that. `form`: of its
  // text, not kNone.
  TouchedMemory(const ir::Program& program, WindowForm form);

  // What lanes are to hold; all where a part would not be much less.
  MemoryWindow window() const;

  // A launch of lanes with this window has ended so many instances besides those that missed. True:
  // these are exceptions, which belong in lanes that hold all. False: they start again where lanes
  // hold what window() says from now on.
  bool Record(const MemoryWindow& window, uint64_t ended, const Misses& misses);

 private:
  void Hold(uint64_t from, uint64_t end);

  const uint64_t bytes_;  // that memory 0 begins with
  uint64_t from_;
  uint64_t end_;
  uint64_t ended_ = 0;  // in lanes with this window
  uint64_t missed_ = 0;
};

}  // namespace wb
