#pragma once

// The seats of one dispatch in the memory of this process: host-visible region and lane state.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compiler/abi/lane.h"
#include "scheduler/devices/cpu/lane_kernel.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/devices/mapping.h"
#include "scheduler/devices/migration/kept_lanes.h"
#include "scheduler/devices/migration/move_lanes.h"

namespace wb {

struct MappedState {
  Mapping words;
  BudgetShare share;
};
using KeptMapping = KeptLanes<MappedState>;

class LaneDispatch final : public Dispatch {
 public:
  // NO_DEVICE_FITS when the system or `memory` has no room. `share` is of all that it takes.
  // `known`: the memory of lanes of such a dispatch. `kept`: where that of this one goes.
  static Result<std::unique_ptr<LaneDispatch>> Create(LaneKernelRef kernel, MemoryLayout order,
                                                      const DispatchShape& shape,
                                                      HostMemory& memory, BudgetShare share,
                                                      std::optional<KeptMapping::Lanes> known,
                                                      std::shared_ptr<KeptMapping> kept);
  ~LaneDispatch() override;

  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override;
  std::span<uint32_t> columns() override;
  std::span<uint8_t> blob() override;

  const LaneKernel& kernel() const { return *kernel_; }
  // The state of all lanes in the kernel's format. It is what moves when lanes go to another
  // engine. Between launches only.
  std::span<uint32_t> state();
  // That of one lane. The layout is contiguous.
  std::span<uint32_t> state_of(uint32_t lane) {
    return state().subspan(lane * lane_words_, lane_words_);
  }

  // The arguments of every lane of a launch; valid while the dispatch lives. `control` is the
  // pool's block.
  const LaneBuffers& Prepare(const LaunchLimits& limits, uint32_t* control);

  // As Device::ExportLanes and ImportLanes.
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(std::span<const uint32_t> seats);
  Result<std::vector<Status>> ImportLanes(std::span<const LanePlace> lanes);

  // The lanes to run; of a module with collectives the first lane of each group. Those left midway
  // come first, so that old instances end before new ones begin. Where seats are queued: all lanes,
  // always in the same order, so that the first lanes that run hold the instances that were left.
  const std::vector<uint32_t>& RunOrder();
  uint32_t CountLeft() const;

  // Runs what RunOrder names on the calling thread: one lane; or, of a module with collectives, the
  // group of lanes from this one on, which meet until one of them has left for another reason, the
  // stop word is set, they have met often, or, of a group with the watched lane, that has ended.
  void Run(uint32_t lane);
  bool Runs(uint32_t lane) const;  // it is to start, or was left midway

 private:
  bool GroupRuns(uint32_t first) const;  // a lane of the group does
  void RunGroup(uint32_t first);
  // The kernel clears what a former instance wrote. Where that
  // is much, its pages are given back to the system instead.
  void RunLane(uint32_t lane, const LaneBuffers& buffers);

  LaneDispatch() = default;
  Status TakeMemory(uint64_t bytes, std::optional<KeptMapping::Lanes> known);  // for the lanes
  void ClearHeaders();
  uint32_t Seat(uint32_t seat) const;
  MovingPlace Place(HostLanes& lanes);
  uint64_t StaleBytes(const uint32_t* header) const;

  LaneKernelRef kernel_;
  MemoryLayout order_ = MemoryLayout::kContiguous;
  DispatchShape shape_;
  HostLayout host_;
  uint64_t lane_words_ = 0;
  std::unique_ptr<HostRegion> region_;
  MappedState state_;
  std::shared_ptr<KeptMapping> kept_;
  uint64_t moved_ = 0;  // bytes of states of sessions, in and out
  std::vector<uint32_t> order_of_run_;
  std::vector<HeldWords> held_;  // MovingPlace::held; empty: no lane moved
  bool launched_ = false;
  uint32_t watched_lane_ = LaunchLimits::kAllLanes;  // of the launch
  abi::Params params_;
  LaneBuffers buffers_;
};

}  // namespace wb
