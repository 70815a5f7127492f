#include "tests/spec/engines.h"

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"

namespace wb::spec {
namespace {

// Memory that a script declares but hardly touches counts against a device's budget in full.
constexpr uint64_t kBudget = uint64_t{256} << 30;

}  // namespace

Result<std::unique_ptr<Device>> OpenEngine(const EngineChoice& choice) {
  if (choice.engine == Engine::kInterpreter) {
    InterpreterSettings settings;
    settings.threads = choice.threads;
    settings.memory_bytes = kBudget;
    return CreateInterpreterDevice(settings);
  }
  if (choice.engine == Engine::kCuda) {
    CudaSettings settings;
    settings.metal_floats = choice.floats == Floats::kMetal;
    return CreateCudaDevice(settings);
  }
  CpuSettings settings;
  settings.threads = choice.threads;
  settings.layout = choice.layout;
  settings.metal_floats = choice.floats == Floats::kMetal;
  settings.memory_bytes = kBudget;
  return CreateCpuDevice(settings);
}

}  // namespace wb::spec
