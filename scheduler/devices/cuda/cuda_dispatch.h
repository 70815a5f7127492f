#pragma once

// The seats of one dispatch: a host region as on every device, and its counterpart on the GPU. What
// the host wrote goes up before a launch, and records come back after it.

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_pipeline.h"
#include "scheduler/devices/cuda/gpu_lanes.h"
#include "scheduler/devices/cuda/group_lanes.h"
#include "scheduler/devices/cuda/mapped_lanes.h"
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
  std::span<uint32_t> records() override;
  std::span<uint32_t> columns() override;
  std::span<uint8_t> blob() override;

  uint32_t CountLeft() const;  // as LaunchReport::seats_left

  // Maps memory for instances that were left because they wait for it. They go on with the next
  // launch. Returns how many do. One thread, between launches of this dispatch.
  Result<uint32_t> GiveMemory();

  // The parts of a launch (launch_transport.h): copies, on their own streams of the context, ...
  bool NeedsUpload(const LaunchLimits& limits) const {
    return limits.seats_written || !launched_ || records_changed_;
  }
  Status Upload();
  Status Download();
  // ... and the kernel, what it is called with, and in how many blocks; addresses on the GPU.
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
  CudaDispatch() = default;
  Status Allocate(HostMemory& memory);
  Status AllocateLanes();
  Result<GroupLanes> Lanes();
  void Return(const GroupLanes& lanes);
  MovingPlace Place(GroupLanes& lanes);
  Status WithoutKernel(const std::function<Status()>& work) const;
  uint32_t Seat(uint32_t seat) const;
  // cuda_dispatch_memory.cc
  struct Waiting {
    uint32_t seat = 0;
    uint32_t lane = 0;
  };
  std::vector<uint32_t> WaitingSeats();
  std::vector<Waiting> FindWaiting(const std::vector<uint32_t>& seats);
  Status TellCapacity(const std::set<uint64_t>& groups);

  CudaContextRef context_;
  CudaPipelineRef pipeline_;
  DispatchShape shape_;
  HostLayout host_;
  Budget budget_;
  std::unique_ptr<HostRegion> region_;
  bool registered_ = false;  // the region is pinned
  std::unique_ptr<GpuLanes> lanes_;
  std::vector<HeldWords> held_;  // MovingPlace::held; empty: no lane moved
  uint64_t moved_ = 0;           // bytes of states of sessions, in and out
  CudaBuffer program_;
  CudaBuffer inputs_;  // records, columns and blob, laid out as the region
  // Room for a copy of a group, for lanes that move. Of ours as long as it is small: to fault its
  // pages in takes longer than to copy them.
  Mapping staging_;
  bool launched_ = false;
  bool records_changed_ = false;  // here, since they were uploaded
  abi::Params params_;
};

}  // namespace wb
