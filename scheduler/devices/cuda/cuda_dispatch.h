#pragma once

// The seats of one dispatch: a host region as on every device, and its counterparts on the GPU.
// What the host wrote goes there before a launch, records come back after it.

#include <memory>
#include <span>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/cuda/cuda_pipeline.h"
#include "scheduler/devices/device.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/host_memory.h"

namespace wb {

class CudaDispatch final : public Dispatch {
 public:
  // NO_DEVICE_FITS when the GPU or `memory` has no room.
  static Result<std::unique_ptr<CudaDispatch>> Create(CudaContextRef context,
                                                      CudaPipelineRef pipeline,
                                                      const DispatchShape& shape,
                                                      HostMemory& memory, BudgetShare share);
  ~CudaDispatch() override;

  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override;
  std::span<uint32_t> columns() override;
  std::span<uint8_t> blob() override;

  uint32_t CountLeft() const;  // as LaunchReport::seats_left

  // The parts of a launch, copies on their own streams of the context; `control` is the word block
  // that the kernel looks at.
  Status Upload();
  // `block_threads`: where the limits name none.
  Status Launch(const LaunchLimits& limits, uint64_t control, uint32_t block_threads, void* stream);
  Status Download();
  bool launched() const { return launched_; }  // ever

 private:
  CudaDispatch() = default;
  Status Allocate(HostMemory& memory);
  uint32_t Seat(uint32_t seat) const;
  uint32_t BlockFor(uint32_t wanted, uint32_t usual) const;

  CudaContextRef context_;
  CudaPipelineRef pipeline_;
  DispatchShape shape_;
  HostLayout host_;
  BudgetShare share_;
  std::unique_ptr<HostRegion> region_;
  bool registered_ = false;  // the region is pinned
  CudaBuffer state_, program_;
  CudaBuffer inputs_;  // records, columns and blob, laid out as the region
  bool launched_ = false;
  abi::Params params_;
};

}  // namespace wb
