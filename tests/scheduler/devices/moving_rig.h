#pragma once

// The engines whose lanes move from one dispatch to another, a GPU among them.

#include <memory>
#include <utility>
#include <vector>

#include "tests/scheduler/devices/cuda_rig.h"

namespace wb::test {

// A GPU made of this processor; one at a time.
class Gpu {
 public:
  Gpu() {
    gpu_.few_registers = gpu_.tiled = true;
    device_ = std::move(CreateCudaDevice({}, gpu_.Parts())).value();
  }
  Device* device() { return device_.get(); }
  FakeGpu& fake() { return gpu_; }

 private:
  FakeGpu gpu_;
  std::unique_ptr<Device> device_;
};

inline std::vector<NamedDevice> MovingEngines(Gpu& gpu) {
  std::vector<NamedDevice> engines;
  for (const NamedDevice& engine : Engines()) {
    if (engine.device->info().moves_lanes) engines.push_back(engine);
  }
  engines.push_back({"cuda", gpu.device()});
  return engines;
}

inline PipelineRef PipelineOn(const NamedDevice& engine, const Work& work) {
  if (engine.name == "cuda") return BuildOn(*engine.device, work.module);
  return LoadOn(*engine.device, work.module);
}

}  // namespace wb::test
