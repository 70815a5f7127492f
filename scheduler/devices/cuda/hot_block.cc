#include "scheduler/devices/cuda/hot_block.h"

#include <algorithm>
#include <utility>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

constexpr uint32_t kKib = 1024;
constexpr uint32_t kOwnBytes = kKib;  // that the system takes of a block's shared memory
constexpr uint32_t kGranule = 128;    // shared memory comes in multiples of so many bytes
// More would leave a lane fewer than 128 registers, and a GPU may have no more blocks.
constexpr uint32_t kMostBlocks = 16;
// Votes of part of a warp need instructions that came with this one.
constexpr uint32_t kPartsOfWarpsFrom = 80;
// Blocks of whole groups reach a row of memory in one piece, so others have to hold a tenth more.
constexpr uint32_t kWholeGroups = 11, kParts = 10;

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct SharedKib {
  uint32_t capability;  // from this one on
  uint32_t processor;
  uint32_t block;  // the most that one block can have
};
constexpr SharedKib kShared[] = {
    {0, 64, 64},   {80, 164, 163}, {86, 100, 99},  {87, 164, 163},
    {88, 100, 99}, {90, 228, 227}, {120, 100, 99},
};

SharedKib SharedOf(uint32_t capability) {
  SharedKib found = kShared[0];
  for (const SharedKib& each : kShared) {
    if (each.capability <= capability) found = each;
  }
  return found;
}

HotBlock BlockOf(uint32_t lanes, uint32_t hot_bytes, const SharedKib& shared) {
  const uint32_t bytes = (lanes * hot_bytes + kGranule - 1) / kGranule * kGranule;
  if (bytes > shared.block * kKib) return {lanes, 0};
  return {lanes, std::min(shared.processor * kKib / (bytes + kOwnBytes), kMostBlocks)};
}

// As many lanes in fewer warps: an instruction of a warp takes as long for 28 lanes as for 14.
bool IsBetter(const HotBlock& one, const HotBlock& than) {
  const auto worth = [](const HotBlock& block) {
    return std::pair(block.lanes_of_processor(), block.lanes);
  };
  return worth(one) > worth(than);
}

}  // namespace

HotBlock HotBlockOf(uint32_t hot_bytes, uint32_t capability) {
  const SharedKib shared = SharedOf(capability);
  const HotBlock whole = BlockOf(abi::GROUP_LANES, hot_bytes, shared);
  HotBlock best = whole;
  if (capability < kPartsOfWarpsFrom) return {best.lanes, std::max(best.of_processor, 1u)};
  for (uint32_t lanes = abi::GROUP_LANES - 1; lanes != 0; --lanes) {
    const HotBlock block = BlockOf(lanes, hot_bytes, shared);
    if (IsBetter(block, best)) best = block;
  }
  const bool pays = best.lanes_of_processor() * kParts >= whole.lanes_of_processor() * kWholeGroups;
  return pays ? best : whole;
}

void AppendFlags(const HotBlock& block, std::vector<std::string>& flags) {
  flags.push_back("-DWB_BLOCK_LANES=" + std::to_string(block.lanes));
  flags.push_back("-DWB_PROCESSOR_BLOCKS=" + std::to_string(block.of_processor));
}

}  // namespace wb
