#pragma once

// One of the Mac's GPUs, and memory on it. Any thread.

#import <Metal/Metal.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/devices/metal/metal_fault.h"
#include "scheduler/devices/metal/metal_settings.h"
#include "scheduler/devices/metal/objc_ref.h"
#include "scheduler/devices/metal/slices.h"

namespace wb {

using MetalBuffer = Ref<id<MTLBuffer>>;

class MetalGpu {
 public:
  // CONFIG_INVALID where there is no GPU of that name, or none that is new enough.
  static Result<std::shared_ptr<const MetalGpu>> Open(const MetalSettings& settings);

  id<MTLDevice> device() const { return device_.get(); }
  id<MTLCommandQueue> queue() const { return queue_.get(); }
  std::string name() const;         // "Apple M1"
  std::string target() const;       // all that shapes a pipeline besides its text
  uint64_t working_bytes() const;   // what Metal recommends to use at most
  uint64_t longest_buffer() const;  // bytes
  uint32_t cores() const;           // as the registry of devices has it; 0: it does not say
  int64_t family() const;           // the latest that it is of; MTLGPUFamily's number
  MetalConditions Conditions() const;

  // NO_DEVICE_FITS when there is not so much. Host and GPU share the memory, and both see it.
  Result<MetalBuffer> Shared(uint64_t bytes) const;
  Result<MetalBuffer> Holding(const std::vector<uint32_t>& words) const;

 private:
  MetalGpu() = default;

  Ref<id<MTLDevice>> device_;
  Ref<id<MTLCommandQueue>> queue_;
  uint64_t longest_buffer_ = 0;
};
using MetalGpuRef = std::shared_ptr<const MetalGpu>;

std::string TextOf(NSString* string);  // "" for nil
MetalError ErrorOf(NSError* error);

}  // namespace wb
