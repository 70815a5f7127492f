#include "tests/spec/engines.h"

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/metal/metal_device.h"

namespace wb::spec {
namespace {

// Memory that a script declares but hardly touches counts against a device's budget in full.
constexpr uint64_t kBudget = uint64_t{256} << 30;

Result<std::unique_ptr<Device>> OpenMetal() {
#ifdef WB_SPEC_METAL
  MetalSettings settings;
  settings.memory_bytes = kBudget;
  settings.any_gpu = true;  // a virtual machine's is older
  // One slice may clear a thousand pages of 33 lanes, and the stand-in's code is not optimised.
  settings.patience = std::chrono::minutes(10);
  return CreateMetalDevice(settings);
#else
  return Status(Reason::kConfigInvalid,
                "This wb_spec was built without Metal; wb_spec_standin has its "
                "stand-in.");
#endif
}

}  // namespace

std::string_view SpecEngineName(Engine engine) {
#ifndef __APPLE__
  if (engine == Engine::kMetal) return "metal-standin";
#endif
  return EngineName(engine);
}

Result<std::unique_ptr<Device>> OpenEngine(const EngineChoice& choice) {
  if (choice.engine == Engine::kInterpreter) {
    InterpreterSettings settings;
    settings.threads = choice.threads;
    settings.memory_bytes = kBudget;
    settings.asserts_facts = true;
    return CreateInterpreterDevice(settings);
  }
  if (choice.engine == Engine::kCuda) {
    CudaSettings settings;
    settings.metal_floats = choice.floats == Floats::kMetal;
    settings.resident = choice.resident;
    settings.windows = choice.windows;
    if (choice.chunks) settings.chunk_bytes = 1;
    return CreateCudaDevice(settings);
  }
  if (choice.engine == Engine::kMetal) return OpenMetal();
  CpuSettings settings;
  settings.threads = choice.threads;
  settings.layout = choice.layout;
  settings.windows = choice.windows;
  settings.metal_floats = choice.floats == Floats::kMetal;
  settings.memory_bytes = kBudget;
  if (choice.chunks) settings.chunk_bytes = 1;
  return CreateCpuDevice(settings);
}

}  // namespace wb::spec
