#pragma once

// GroupLanes: the lanes of a dispatch on a GPU, as the host reaches them when they move. The words
// of a group's 32 lanes are side by side, so a group is copied together. To copy one lane's words
// alone would take as many copies of 4 bytes each.

#include <span>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/lanes/gpu_lanes.h"
#include "scheduler/devices/migration/move_lanes.h"

namespace wb {

class GroupLanes final : public LaneStore {
 public:
  // `lanes`: whose words these are. `group`: room for a copy of a group's lanes, whatever is in it.
  // Both outlive this object. On the thread that has entered the context.
  GroupLanes(const CudaContext& context, const GpuLanes& lanes, uint64_t lane_words,
             std::span<uint8_t> group)
      : context_(&context), lanes_(&lanes), lane_words_(lane_words), group_(group) {}

  // Makes the headers of so many lanes zero. For lanes that no launch has seen.
  Status ClearHeaders(uint32_t lanes);

  LaneWords words(uint32_t lane) override;
  Status Fetch(uint32_t lane, const LaneRange& range) override;
  Status MakeRoom(uint32_t lane, uint32_t pages) override;
  void RecordChanged(uint32_t lane) override;
  Status Flush() override;
  uint64_t most_bytes() const { return most_bytes_; }  // of a group that were fetched

 private:
  bool IsHere(const LaneRange& range) const;
  uint64_t AddressOf(uint64_t word) const;  // of the group's words of that number

  const CudaContext* context_;
  const GpuLanes* lanes_;
  uint64_t lane_words_;
  const std::span<uint8_t> group_;  // a copy of the group, as far as it was fetched
  uint32_t number_ = ~0u;
  std::vector<LaneRange> fetched_;
  bool changed_ = false;
  uint64_t most_bytes_ = 0;
};

}  // namespace wb
