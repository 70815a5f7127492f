#pragma once

// MemoryBudget: how much of a device's memory its dispatches hold. Pure; one thread.

#include <cstdint>

namespace wb {

class MemoryBudget {
 public:
  void SetTotal(uint64_t bytes) { total_ = bytes; }

  // What a new dispatch may take: half of what is left, so that others find room beside it ...
  uint64_t Share() const { return left() / 2; }
  // ... or all of it, where half is too little for one lane.
  uint64_t left() const { return held_ >= total_ ? 0 : total_ - held_; }
  bool empty() const { return held_ == 0; }

  void Hold(uint64_t bytes) { held_ += bytes; }
  void Free(uint64_t bytes) {
    held_ -= bytes;
    ++version_;
  }
  // Grows when memory was freed: whoever waits for some tries again then.
  uint64_t version() const { return version_; }

 private:
  uint64_t total_ = 0;
  uint64_t held_ = 0;
  uint64_t version_ = 0;
};

}  // namespace wb
