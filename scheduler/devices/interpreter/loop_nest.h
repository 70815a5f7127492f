#pragma once

// LoopNest: numbers the loops of a function whose fuel is counted by loops, and knows which one is
// innermost around a row. Where none is counted it says nothing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/devices/interpreter/bytecode.h"

namespace wb {

class LoopNest {
 public:
  // `loops` outlives it, and gets each loop that is counted. Its first entry stands for none.
  explicit LoopNest(std::vector<ByteLoop>& loops) : loops_(loops) {}

  // A construct begins.
  void Open() { open_.push_back({innermost_, loops_.size()}); }
  // The construct that began last is a loop to be counted. Returns its number.
  uint32_t Count(uint32_t offset) {
    if (loops_.empty()) loops_.emplace_back();
    const auto number = static_cast<uint32_t>(loops_.size());
    loops_.push_back({offset, std::exchange(innermost_, number)});
    return number;
  }
  // The construct that began last ends. If loops in it were counted, rows behind it are reached
  // from those: then it returns the number of the loop around these rows, 0 if there is none.
  std::optional<uint32_t> Close() {
    const Opened opened = open_.back();
    open_.pop_back();
    innermost_ = opened.around;
    if (loops_.size() == opened.loops_before) return std::nullopt;
    return innermost_;
  }

 private:
  // Of an open construct.
  struct Opened {
    uint32_t around = 0;      // the innermost loop around it
    size_t loops_before = 0;  // of the function
  };

  std::vector<ByteLoop>& loops_;
  std::vector<Opened> open_;
  uint32_t innermost_ = 0;
};

}  // namespace wb
