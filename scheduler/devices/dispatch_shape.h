#pragma once

// What follows from the shape of a dispatch on every device: whether the shape is sound, how many
// bytes of lane state it needs, and what parameters the kernel gets.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"

namespace wb {

// INVALID_ARGUMENT. Shapes come over a socket in an engine host, so devices check and trust none.
// `program` and `options` are those of the pipeline.
Status CheckShape(const DispatchShape& shape, const ir::Program& program,
                  const CompileOptions& options);

// NO_DEVICE_FITS, with the numbers.
Status DoesNotFit(const DispatchShape& shape, uint64_t available_bytes);

// NO_DEVICE_FITS, of an input to be kept.
Status InputDoesNotFit(const InputBytes& input, uint64_t available_bytes);

// Bytes of lane state that the shape needs. False: more than 2^62, or frames beyond 2^32 words.
bool StateBytes(const LaneLayout& layout, MemoryLayout order, const DispatchShape& shape,
                uint64_t* bytes);

// All that stays the same over the launches of a dispatch.
abi::Params ParamsOf(const DispatchShape& shape, const LaneLayout& layout);
// ... and what each launch sets.
void SetLimits(const LaunchLimits& limits, abi::Params* params);

// Threads that a block of a GPU can have: whole groups, at most 1,024.
bool IsBlock(uint32_t threads);

// A part of a device's memory budget, given back when it is destroyed.
class BudgetShare {
 public:
  BudgetShare() = default;
  BudgetShare(std::shared_ptr<std::atomic<uint64_t>> held, uint64_t bytes)
      : held_(std::move(held)), bytes_(bytes) {
    *held_ += bytes_;
  }
  BudgetShare(BudgetShare&& other) noexcept
      : held_(std::move(other.held_)), bytes_(std::exchange(other.bytes_, 0)) {}
  BudgetShare& operator=(BudgetShare&& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  // False: all shares together would hold more than `most`; nothing has changed then.
  bool Grow(uint64_t bytes, uint64_t most) {
    uint64_t held = held_->load();
    do {
      if (held > most || bytes > most - held) return false;
    } while (!held_->compare_exchange_weak(held, held + bytes));
    bytes_ += bytes;
    return true;
  }
  void Shrink(uint64_t bytes) {
    *held_ -= bytes;
    bytes_ -= bytes;
  }
  ~BudgetShare() {
    if (held_ != nullptr) *held_ -= bytes_;
  }

 private:
  std::shared_ptr<std::atomic<uint64_t>> held_;
  uint64_t bytes_ = 0;
};

}  // namespace wb
