#pragma once

// MetalLanes: the lanes of a dispatch, as the host reaches them when they move. Their buffers are
// shared, so nothing is copied. No slice of the dispatch may be on the GPU.

#include <cstring>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/devices/migration/move_lanes.h"

namespace wb {

class MetalLanes final : public LaneStore {
 public:
  explicit MetalLanes(uint64_t lane_words) : lane_words_(lane_words) {}

  // Adds a part. Its lanes come after those of the part before it. All parts but the last are
  // equally long.
  void Add(void* state, uint32_t lanes) {
    parts_.push_back({static_cast<uint32_t*>(state), lanes});
  }

  // Makes the headers zero. For lanes that no launch has seen.
  void ClearHeaders() {
    for (const Part& part : parts_) {
      for (uint64_t lane = 0; lane < part.lanes; lane += abi::GROUP_LANES) {
        std::memset(part.state + lane * lane_words_, 0,
                    abi::LANE_STAGE * abi::GROUP_LANES * sizeof(uint32_t));
      }
    }
  }

  LaneWords words(uint32_t lane) override {
    const uint32_t most = parts_.front().lanes;
    return HostLanes(parts_[lane / most].state, lane_words_, MemoryLayout::kInterleaved)
        .words(lane % most);
  }
  Status Fetch(uint32_t, const LaneRange&) override { return {}; }
  void RecordChanged(uint32_t) override {}
  Status Flush() override { return {}; }

 private:
  struct Part {
    uint32_t* state = nullptr;
    uint32_t lanes = 0;
  };
  std::vector<Part> parts_;
  const uint64_t lane_words_;
};

}  // namespace wb
