#pragma once

// KeptLanes: the memory of the lanes of a dispatch that took in much, after the dispatch. A
// dispatch of the same kernel and size takes it over: most of the time of a session's short call
// went into pages that the system cleared for it (bench/docs/session.md). Instances never see what
// stands there: it counts as memory of which nothing is known, as a GPU's does.
//
// Threads: the one that owns the device.

#include <chrono>
#include <cstdint>
#include <optional>

#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/mapping.h"

namespace wb {

class KeptLanes {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  // So long it is kept for the next call.
  static constexpr std::chrono::seconds kLongest{5};
  // From so many bytes that were taken in on it is worth it, and up to so many.
  static constexpr uint64_t kLeastBytes = uint64_t{256} << 10;
  static constexpr uint64_t kMostBytes = uint64_t{1} << 30;

  // `taken_in`: bytes of states. `share`: of the device's budget, as long as it is kept.
  void Keep(const LaneKernelRef& kernel, Mapping memory, BudgetShare share, uint64_t taken_in,
            TimePoint now) {
    Drop();
    if (taken_in < kLeastBytes || taken_in > kMostBytes) return;
    kernel_ = kernel;
    memory_ = std::move(memory);
    share_ = std::move(share);
    until_ = now + kLongest;
  }
  // What Take() will find counts for the dispatch that takes it.
  void Expect(const LaneKernelRef& kernel, uint64_t bytes) {
    if (Fits(kernel, bytes)) share_ = {};
  }
  // nullopt: there is none of this kernel and size.
  std::optional<Mapping> Take(const LaneKernelRef& kernel, uint64_t bytes) {
    if (!Fits(kernel, bytes)) return std::nullopt;
    Mapping memory = std::move(memory_);
    Drop();
    return memory;
  }
  void Drop() {
    kernel_ = nullptr;
    memory_ = {};
    share_ = {};
  }
  void DropOld(TimePoint now) {
    if (kernel_ != nullptr && now >= until_) Drop();
  }

 private:
  bool Fits(const LaneKernelRef& kernel, uint64_t bytes) const {
    return kernel_ == kernel && memory_.bytes().size() == bytes;
  }

  LaneKernelRef kernel_;  // null: nothing is kept
  Mapping memory_;
  BudgetShare share_;
  TimePoint until_;
};

}  // namespace wb
