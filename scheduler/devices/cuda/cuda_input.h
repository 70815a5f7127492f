#pragma once

// An input that a GPU keeps, in memory of its own. It is freed with this object.

#include <cstdint>
#include <memory>
#include <utility>

#include "scheduler/devices/cuda/cuda_context.h"
#include "scheduler/devices/dispatch_shape.h"
#include "scheduler/devices/kept_input.h"

namespace wb {

class CudaInput final : public KeptInput {
 public:
  CudaInput(CudaContextRef context, CudaBuffer buffer, BudgetShare share)
      : context_(std::move(context)), buffer_(std::move(buffer)), share_(std::move(share)) {}
  ~CudaInput() override { (void)context_->Enter(); }  // the buffer needs it

  uint64_t address() const { return buffer_.address(); }

 private:
  const CudaContextRef context_;
  const CudaBuffer buffer_;
  const BudgetShare share_;
};

}  // namespace wb
