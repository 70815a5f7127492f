#pragma once

// What a lane pool runs: the kernel of one module, of either engine.

#include <cstdint>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/compiler.h"
#include "scheduler/devices/device.h"

namespace wb {

// The buffers of `wb_main` in the order of its parameters (compiler/runtime/entry.metal). The
// kernel writes state and records and only reads the others. The host writes control during a
// launch, atomically.
struct LaneBuffers {
  uint32_t* state = nullptr;
  uint32_t* records = nullptr;
  const uint32_t* program = nullptr;
  const uint32_t* columns = nullptr;
  const uint32_t* blob = nullptr;
  const uint32_t* image = nullptr;
  uint32_t* control = nullptr;
  const abi::Params* params = nullptr;
  const uint32_t* kept = nullptr;  // null: the shape names no kept input
};

// A loaded pipeline of the lane pool's devices. It is immutable. RunLane may be called from many
// threads at once, for different lanes.
class LaneKernel : public Pipeline {
 public:
  explicit LaneKernel(std::shared_ptr<const LoweredModule> module)
      : module_(std::move(module)), image_(EncodeImage(*module_)) {}

  // Runs lane `gid` until it ends, its slice is spent or the stop word is set.
  virtual void RunLane(const LaneBuffers& buffers, uint32_t gid) const = 0;

  const LoweredModule& module() const { return *module_; }
  const std::vector<uint32_t>& image() const { return image_; }

 private:
  std::shared_ptr<const LoweredModule> module_;
  std::vector<uint32_t> image_;
};
using LaneKernelRef = std::shared_ptr<const LaneKernel>;

}  // namespace wb
