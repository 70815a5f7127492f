#pragma once

// CudaDispatch: the seats of a dispatch, the state of its lanes on the GPU, and the kernel for
// them. A launch is put together of these (launch_transport.h).

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_pipeline.h"
#include "scheduler/devices/cuda/cuda_seats.h"
#include "scheduler/devices/cuda/lanes/gpu_lanes.h"
#include "scheduler/devices/cuda/lanes/group_lanes.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/devices/mapping.h"

namespace wb {

class CudaDispatch final : public Dispatch {
 public:
  // Of the device's memory.
  struct Budget {
    BudgetShare share;                         // of what is no lane's
    BudgetShare lanes;                         // what new lanes take as they begin
    uint64_t most_bytes = 0;                   // for all dispatches together, however they grow
    std::optional<MappedPlan> mapped;          // how new lanes lie that have memory as they grow
    std::optional<KeptGpuLanes::Lanes> known;  // those of such a dispatch, in place of new ones
    std::shared_ptr<KeptGpuLanes> kept;        // where they go
  };
  // NO_DEVICE_FITS when the GPU or `memory` has no room.
  static Result<std::unique_ptr<CudaDispatch>> Create(CudaContextRef context,
                                                      CudaPipelineRef pipeline,
                                                      const DispatchShape& shape,
                                                      HostMemory& memory, Budget budget);
  ~CudaDispatch() override;

  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override { return seats_->records(); }
  std::span<uint32_t> columns() override { return seats_->columns(); }
  std::span<uint8_t> blob() override { return seats_->blob(); }
  CudaSeats& seats() { return *seats_; }

  // Maps memory for instances that were left because they wait for it. They go on with the next
  // launch. Returns how many do. One thread, between launches of this dispatch.
  Result<uint32_t> GiveMemory();

  // Puts the words of lanes' memories where the kernel of this occupancy finds them, on a stream.
  // For launches that come behind it there, and for whoever moves lanes after those. False: they
  // are there.
  Result<bool> Arrange(const Occupancy& occupancy, void* stream);
  // The seats go up before the launch.
  bool NeedsUpload(const LaunchLimits& limits) const {
    return limits.seats_written || !launched_ || seats_->changed();
  }
  // The kernel, what it is called with, and in how many blocks; addresses on the GPU.
  struct Call {
    void* function = nullptr;
    uint64_t state = 0, records = 0, program = 0, columns = 0, blob = 0, image = 0, kept = 0;
    abi::Params params;
    uint32_t block_threads = 0;
    uint32_t shared_bytes = 0;  // of a block
    uint32_t blocks = 0;
  };
  Call CallOf(const LaunchLimits& limits) const;
  // As Device::Adopt. INTERNAL: it is a build of another module, whose lanes have another layout.
  Status Adopt(CudaPipelineRef pipeline);
  // As Device::ExportLanes and ImportLanes; on a thread that has entered the context.
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(std::span<const uint32_t> seats);
  Result<std::vector<Status>> ImportLanes(std::span<const LanePlace> lanes);
  bool launched() const { return launched_; }  // ever
  // Before its kernel begins.
  void RecordLaunched() {
    launched_ = true;
    ForgetRun(*this, held_);
  }

 private:
  CudaDispatch(CudaContextRef context, CudaPipelineRef pipeline, const DispatchShape& shape,
               Budget budget);
  Status Allocate(HostMemory& memory);
  Status AllocateLanes();
  Result<GroupLanes> Lanes();
  void Return(const GroupLanes& lanes);
  MovingPlace Place(GroupLanes& lanes);

  CudaContextRef context_;
  CudaPipelineRef pipeline_;
  DispatchShape shape_;
  Budget budget_;
  std::unique_ptr<CudaSeats> seats_;
  std::unique_ptr<GpuLanes> lanes_;
  uint64_t lane_words_ = 0;      // from a group to the next, for each of its lanes
  std::vector<HeldWords> held_;  // MovingPlace::held; empty: no lane moved
  uint64_t moved_ = 0;           // bytes of states of sessions, in and out
  CudaBuffer program_;
  // Room for a copy of a group, for lanes that move. Of ours as long as it is small: to fault its
  // pages in takes longer than to copy them.
  Mapping staging_;
  bool launched_ = false;
  abi::Params params_;
};

}  // namespace wb
