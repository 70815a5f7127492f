#include "scheduler/devices/cuda/lanes/gpu_lanes.h"

namespace wb {

Status GpuLanes::ReorderFor(const CudaKernelRef& kernel, const std::vector<MemoryRows>& memories,
                            void* stream) {
  const bool into_tiles = kernel->tiled();
  const CudaKernel& reorders = into_tiles ? *kernel : *tiled_for;
  for (const MemoryRows& one : memories) WB_TRY(reorders.Reorder(one, into_tiles, stream));
  tiled_for = into_tiles ? kernel : nullptr;
  return {};
}

std::vector<MemoryRows> GpuLanes::Memories(const LaneLayout& layout, const DispatchShape& shape,
                                           uint64_t lane_words) const {
  const uint32_t groups = (shape.lanes + abi::GROUP_LANES - 1) / abi::GROUP_LANES;
  const uint64_t group_words = lane_words * abi::GROUP_LANES;
  std::vector<MemoryRows> all;
  for (uint32_t group = 0; group < groups; ++group) {
    const uint64_t rows =
        mapped ? mapped->pages(group) * kWordsPerPage : layout.MemoryWords(shape.Reserve());
    if (all.empty() || all.back().rows != rows) {
      const uint64_t at = group * group_words * sizeof(uint32_t) + layout.memory_at * kRowBytes;
      all.push_back({address() + at, group_words, 0, rows});
    }
    ++all.back().groups;
  }
  return all;
}

}  // namespace wb
