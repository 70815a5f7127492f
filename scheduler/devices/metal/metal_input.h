#pragma once

// An input that a Mac's GPU keeps, in one buffer.

#include <memory>
#include <utility>

#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/kept_input.h"
#include "scheduler/devices/metal/metal_gpu.h"

namespace wb {

class MetalInput final : public KeptInput {
 public:
  MetalInput(MetalBuffer buffer, BudgetShare share)
      : buffer_(std::move(buffer)), share_(std::move(share)) {}

  id<MTLBuffer> buffer() const { return buffer_.get(); }

 private:
  const MetalBuffer buffer_;
  const BudgetShare share_;
};

}  // namespace wb
