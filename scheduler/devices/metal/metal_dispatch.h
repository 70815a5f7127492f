#pragma once

// The seats of one dispatch and the lanes that run them. The host's region is the GPU's buffer,
// too, where Metal can wrap it; otherwise it is copied before and after a launch. Lane state is in
// one buffer. Where a buffer cannot be that long, it is in several parts of whole groups. The
// kernel then runs part by part, and lanes of any part take seats from the queue.

#import <Metal/Metal.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scheduler/devices/device.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/devices/metal/metal_compiler.h"
#include "scheduler/devices/metal/metal_gpu.h"
#include "scheduler/devices/metal/metal_lanes.h"
#include "scheduler/devices/metal/slices.h"

namespace wb {

// A kernel and the image that its instances begin with.
class MetalPipeline final : public Pipeline {
 public:
  // COMPILE_FAILED when a threadgroup holds less than a group of lanes.
  static Result<std::shared_ptr<const MetalPipeline>> Create(
      const MetalGpu& gpu, std::shared_ptr<const LoweredModule> module, MetalKernel kernel);

  const LoweredModule& module() const { return *module_; }
  id<MTLComputePipelineState> kernel() const { return kernel_.get(); }
  id<MTLBuffer> image() const { return image_.get(); }
  NSUInteger group_threads() const { return group_threads_; }

 private:
  MetalPipeline() = default;
  std::shared_ptr<const LoweredModule> module_;
  MetalKernel kernel_;
  MetalBuffer image_;
  NSUInteger group_threads_ = 0;
};
using MetalPipelineRef = std::shared_ptr<const MetalPipeline>;

class MetalDispatch final : public Dispatch {
 public:
  // NO_DEVICE_FITS when Metal or `memory` has no room.
  static Result<std::unique_ptr<MetalDispatch>> Create(const MetalGpu& gpu,
                                                       MetalPipelineRef pipeline,
                                                       const DispatchShape& shape,
                                                       HostMemory& memory, BudgetShare share);

  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override;
  std::span<uint32_t> columns() override;
  std::span<uint8_t> blob() override;

  struct SeatsLeft {
    uint32_t all = 0;   // in SEAT_START or SEAT_RUNNING
    uint32_t runs = 0;  // of these, those that do not wait for the host
  };
  SeatsLeft CountLeft() const;  // also beside a running slice
  SliceAim& aim() { return aim_; }

  // Around a launch, with nothing of it on the GPU.
  void Begin();
  void End();
  // As Device::ExportLanes and ImportLanes; likewise.
  Result<std::vector<std::optional<LaneImage>>> ExportLanes(std::span<const uint32_t> seats);
  Result<std::vector<Status>> ImportLanes(std::span<const LanePlace> lanes);
  // One slice: all parts, one after the other. `control` is the word block the kernel looks at.
  void Encode(id<MTLCommandBuffer> commands, const LaunchLimits& limits, id<MTLBuffer> control);

 private:
  struct Part {
    MetalBuffer state;
    uint32_t lanes = 0;
  };

  MetalDispatch() = default;
  Status Allocate(const MetalGpu& gpu, HostMemory& memory);
  Status AllocateState(const MetalGpu& gpu);
  MetalLanes Lanes() const;
  MovingPlace Place(MetalLanes& lanes) {
    return {pipeline_->module(), *this, lanes, IsQueued(), false};
  }
  bool IsQueued() const { return shape_.seats != 0 || parts_.size() > 1; }
  id<MTLBuffer> inputs() const { return wrapped_ ? wrapped_.get() : copied_.get(); }

  MetalPipelineRef pipeline_;
  DispatchShape shape_;
  HostLayout host_;
  BudgetShare share_;
  std::shared_ptr<HostRegion> region_;  // shared with the buffer that wraps it
  MetalBuffer wrapped_, copied_;        // of the region; one of them
  MetalBuffer program_;
  std::vector<Part> parts_;
  bool launched_ = false;
  SliceAim aim_;
  abi::Params params_;
};

}  // namespace wb
