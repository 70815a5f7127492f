#pragma once

// The seats of one dispatch in the memory of this process: host-visible region, lane state, and how
// much of each lane's memory its former instance may have written.

#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/cpu/mapping.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

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
  ~BudgetShare() {
    if (held_ != nullptr) *held_ -= bytes_;
  }

 private:
  std::shared_ptr<std::atomic<uint64_t>> held_;
  uint64_t bytes_ = 0;
};

class LaneDispatch final : public Dispatch {
 public:
  // Bytes of lane state that the shape needs; false: more than 2^62.
  static bool StateBytes(const LaneLayout& layout, MemoryLayout order, const DispatchShape& shape,
                         uint64_t* bytes);

  // NO_DEVICE_FITS when the system or `memory` has no room.
  static Result<std::unique_ptr<LaneDispatch>> Create(LaneKernelRef kernel, MemoryLayout order,
                                                      const DispatchShape& shape,
                                                      HostMemory& memory, BudgetShare share);

  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override;
  std::span<uint32_t> columns() override;
  std::span<uint8_t> blob() override;

  const LaneKernel& kernel() const { return *kernel_; }
  // All lanes' state in the kernel's format: what moves when lanes go to another engine. Between
  // launches only.
  std::span<uint32_t> state();

  // What every lane of a launch is called with; valid while the dispatch lives. `control` is the
  // pool's block.
  const LaneBuffers& Prepare(const LaunchLimits& limits, uint32_t* control);

  // Lanes to run: those left midway first, so that old instances end before new ones begin.
  const std::vector<uint32_t>& RunOrder();
  uint32_t CountLeft() const;

  // Runs one lane on the calling thread; a fresh seat's memory is cleared of its former instance.
  void RunLane(uint32_t lane);

 private:
  LaneDispatch() = default;
  uint32_t Seat(uint32_t lane) const;
  void ClearMemory(uint32_t lane);

  LaneKernelRef kernel_;
  MemoryLayout order_ = MemoryLayout::kContiguous;
  DispatchShape shape_;
  HostLayout host_;
  uint64_t lane_words_ = 0;
  BudgetShare share_;
  std::unique_ptr<HostRegion> region_;
  Mapping state_;
  std::vector<uint32_t> dirty_pages_;  // per lane
  std::vector<uint32_t> order_of_run_;
  abi::Params params_;
  LaneBuffers buffers_;
};

}  // namespace wb
