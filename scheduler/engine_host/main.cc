// wasmburst-engine: the child process that holds one device. Started by the daemon with its line on
// file descriptor 3; of no use by itself.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/digest.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/devices/nvtx_device.h"
#include "scheduler/engine_host/engine_server.h"
#include "scheduler/engine_host/host_isolation.h"
#include "scheduler/engine_host/host_process.h"
#include "scheduler/engine_host/messages.h"

#ifdef WB_ENGINE_METAL
#include "scheduler/devices/metal/metal_device.h"
#endif

namespace {

#ifdef WB_ENGINE_METAL
wb::Result<std::unique_ptr<wb::Device>> MakeMetal(const wasmburst::engine::Hello& hello,
                                                  std::shared_ptr<wb::HostMemory> memory) {
  wb::MetalSettings settings;
  settings.id = hello.id();
  settings.memory_bytes = hello.memory_bytes();
  settings.options = wb::OptionsOf(hello.metal());
  settings.compile = wb::CompilerLimitsOf(hello.compile());
  settings.host_memory = std::move(memory);
  return wb::CreateMetalDevice(settings);
}
#else
wb::Result<std::unique_ptr<wb::Device>> MakeMetal(const wasmburst::engine::Hello&,
                                                  std::shared_ptr<wb::HostMemory>) {
  return wb::Status(wb::Reason::kConfigInvalid, "This engine host was built without Metal.");
}
#endif

wb::Result<std::unique_ptr<wb::Device>> MakeCuda(const wasmburst::engine::Hello& hello,
                                                 std::shared_ptr<wb::HostMemory> memory) {
  wb::CudaSettings settings;
  settings.id = hello.id();
  settings.ordinal = static_cast<int>(hello.gpu_ordinal());
  settings.resident = hello.cuda_resident();
  settings.low_priority = hello.low_priority();
  settings.maps_memory = !hello.cuda_reserves();
  settings.memory_bytes = hello.memory_bytes();
  settings.libraries = wb::LibrariesOf(hello.cuda_libraries());
  settings.compile = wb::CompilerLimitsOf(hello.compile());
  settings.builds = !hello.runs_only();
  settings.host_memory = std::move(memory);
  if (!hello.builds_for().empty()) {
    return wb::CreateCudaBuilder(settings.id, wb::NvrtcOf(settings), hello.builds_for());
  }
  WB_ASSIGN(std::unique_ptr<wb::Device> device, wb::CreateCudaDevice(settings));
  if (settings.libraries.nvtx.empty()) return device;
  WB_ASSIGN(const wb::NvtxLibrary nvtx, wb::NvtxLibrary::Open(settings.libraries.nvtx));
  return wb::WithRanges(std::move(device), nvtx);
}

wb::Result<std::unique_ptr<wb::Device>> MakeInterpreter(const wasmburst::engine::Hello& hello,
                                                        std::shared_ptr<wb::HostMemory> memory) {
  wb::InterpreterSettings settings;
  settings.id = hello.id();
  settings.threads = hello.threads();
  settings.memory_bytes = hello.memory_bytes();
  settings.host_memory = std::move(memory);
  settings.traces = hello.traces();
  settings.profiles = hello.profiles();
  if (hello.max_process_bytes() != 0) wb::LimitMemory(hello.max_process_bytes());
  return hello.inspects() ? wb::CreateInspectingInterpreter(settings)
                          : wb::CreateInterpreterDevice(settings);
}

wb::Result<std::unique_ptr<wb::Device>> MakeDevice(const wasmburst::engine::Hello& hello,
                                                   std::shared_ptr<wb::HostMemory> memory) {
  if (hello.engine() == static_cast<uint32_t>(wb::Engine::kInterpreter)) {
    return MakeInterpreter(hello, std::move(memory));
  }
  if (hello.engine() == static_cast<uint32_t>(wb::Engine::kCuda)) {
    return MakeCuda(hello, std::move(memory));
  }
  if (hello.engine() == static_cast<uint32_t>(wb::Engine::kMetal)) {
    return MakeMetal(hello, std::move(memory));
  }
  wb::CpuSettings settings;
  settings.id = hello.id();
  settings.threads = hello.threads();
  settings.memory_bytes = hello.memory_bytes();
  settings.compiler_path = hello.compiler_path();
  settings.compile = wb::CompilerLimitsOf(hello.compile());
  settings.builds = !hello.runs_only();
  settings.host_memory = std::move(memory);
  return wb::CreateCpuDevice(settings);
}

// Lanes take so much at most. The rest is for modules, kernels and stacks. A driver's memory and
// that of compilers, which have bounds of their own, is not bounded so.
void BoundMemory(const wasmburst::engine::Hello& hello, const wb::DeviceInfo& info) {
  constexpr uint64_t kStackBytes = uint64_t{64} << 20;  // as TakeLargeStacks() has it
  constexpr uint64_t kRestBytes = uint64_t{8} << 30;
  const bool runs_on_processor = info.engine == wb::Engine::kCpu && hello.runs_only();
  if (info.engine != wb::Engine::kInterpreter && !runs_on_processor) return;
  wb::LimitMemory(2 * info.memory_bytes + info.threads * kStackBytes + kRestBytes);
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGHUP, SIG_IGN);  // a closed terminal ends neither the daemon nor its hosts
  if (argc < 4) {
    std::fprintf(stderr, "wasmburst-engine is started by wasmburstd and does nothing by itself.\n");
    return 2;
  }
  const bool isolates = argc > 4;
  const auto inherits =
      isolates ? wb::HostProcess::Inherits::kLittle : wb::HostProcess::Inherits::kAll;
  if (!wb::BecomeEngineHost(std::atoll(argv[2]), std::atoi(argv[3]), inherits)) return 1;
  // OpenSSL reads its files at the first digest, for which a first job would wait.
  (void)wb::Sha256({});
  // Not before: nothing of a client's was read yet, and there is one thread.
  const wb::Result<std::string> isolated =
      wb::IsolateHost(std::vector<std::string>(argv + 4, argv + argc));
  const auto make = [&isolated](const wasmburst::engine::Hello& hello,
                                std::shared_ptr<wb::HostMemory> memory) {
    if (!isolated.ok()) return wb::Result<std::unique_ptr<wb::Device>>(isolated.status());
    auto device = MakeDevice(hello, std::move(memory));
    if (device.ok() && !isolated->empty()) BoundMemory(hello, (*device)->info());
    return device;
  };
  auto* server =
      new wb::EngineServer(wb::UniqueFd(wb::kEngineSocket), make, wb::Channel::kMaxMessageBytes,
                           isolated.ok() ? *isolated : "");
  server->Serve();
  // The process ends at once. Launches and compiles may be under way, and nothing waits for them
  // any more.
  ::_exit(0);
}
