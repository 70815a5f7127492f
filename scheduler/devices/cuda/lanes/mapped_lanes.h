#pragma once

// MappedLanes: the lane state of a dispatch in addresses for whole lanes. Memory is mapped as far
// as the lanes of a group have grown. A page of a group's 32 lanes is 2 MiB, which is the least
// that GPUs map. Lanes are where they would be if all was memory, but the step from a group to the
// next is rounded up to granules, so that no two groups share one.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "scheduler/devices/cuda/lanes/mapped_memory.h"
#include "scheduler/devices/dispatch_shape.h"

namespace wb {

// A row of interleaved lane state: one word of each lane of a group.
inline constexpr uint64_t kRowBytes = abi::GROUP_LANES * sizeof(uint32_t);

// Where groups lie and what of them is mapped. Pure.
struct MappedPlan {
  uint64_t granule = 0;
  uint64_t lane_words = 0;  // from a group to the next, for each of its lanes
  uint64_t groups = 0;
  uint64_t memory_at = 0;  // bytes from a group's start, as all below
  uint64_t behind_at = 0;  // frames behind the reserve, of modules with recursion
  uint64_t behind_bytes = 0;
  uint32_t first_pages = 0;
  uint32_t capacity_pages = 0;

  // nullopt: all of the shape is memory at once. So it is for several memories, since those behind
  // the first are found by what is reserved. `granule` 0: nothing can be mapped.
  static std::optional<MappedPlan> Of(const LaneLayout& layout, const DispatchShape& shape,
                                      uint64_t granule);

  uint64_t GroupBytes() const { return lane_words * abi::GROUP_LANES * sizeof(uint32_t); }
  uint64_t HeadBytes(uint32_t pages) const;  // header to memory's end
  uint32_t PagesIn(uint64_t head_bytes) const;
  uint64_t FirstBytes() const;  // of memory, all groups together
  // Pages that a group with `pages` gets when `wanted` are needed: half as many again at least, so
  // that it grows a few times only.
  uint32_t NextPages(uint32_t pages, uint32_t wanted) const;
};

class MappedLanes {
 public:
  // The first pages of all groups are memory, and `share` holds as much already. Memory that comes
  // later stays within `most` bytes for all shares. `share` outlives this object. NO_DEVICE_FITS.
  static Result<std::unique_ptr<MappedLanes>> Create(const CudaContextRef& context,
                                                     const MappedPlan& plan, BudgetShare& share,
                                                     uint64_t most);

  uint64_t address() const { return memory_->address(); }
  const MappedPlan& plan() const { return plan_; }
  uint32_t pages(uint64_t group) const { return pages_[group]; }
  uint32_t least_pages();  // that all groups have

  // Gives the group's lanes so many pages, or more. NO_DEVICE_FITS, also for more than the plan's
  // capacity; the lanes then keep what they have.
  Status Grow(uint64_t group, uint32_t pages);
  // The same with NextPages(), or, if that is too much, with `wanted` alone.
  Status GrowWell(uint64_t group, uint32_t wanted);

 private:
  MappedLanes(const MappedPlan& plan, BudgetShare& share, uint64_t most)
      : plan_(plan), share_(share), most_(most), pages_(plan.groups) {}
  Status CommitFirst();
  Status CommitHead(uint64_t group, uint32_t pages);

  const MappedPlan plan_;
  BudgetShare& share_;
  const uint64_t most_;
  std::unique_ptr<MappedMemory> memory_;
  std::vector<uint32_t> pages_;  // by group
  uint32_t least_pages_ = 0;
  bool has_grown_ = true;  // since that was counted
};

}  // namespace wb
