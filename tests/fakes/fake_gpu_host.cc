// An engine host whose GPU is the cuda device over the fake GPU: for tests that start one. As many
// GPUs as CUDA_VISIBLE_DEVICES names, or one, or, where that is @FILE, as the file names when the
// host starts; the other engines are what they are. It is isolated as a real one: a driver made of
// memory needs less than `gpu` allows.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/cuda/cuda_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/engine_host/engine_server.h"
#include "scheduler/engine_host/host_isolation.h"
#include "scheduler/engine_host/host_process.h"
#include "tests/fakes/fake_gpu.h"

namespace {

constexpr const char* kArchitecture = "sm_0";  // of the fake GPU, for its builder

int VisibleGpus() {
  const char* text = std::getenv("CUDA_VISIBLE_DEVICES");
  std::string list = text == nullptr ? "" : text;
  if (list.starts_with('@')) std::getline(std::ifstream(list.substr(1)), list);
  return 1 + static_cast<int>(std::count(list.begin(), list.end(), ','));
}

template <typename Settings>
Settings SettingsOf(const wasmburst::engine::Hello& hello, std::shared_ptr<wb::HostMemory> memory) {
  Settings settings;
  settings.id = hello.id();
  settings.memory_bytes = hello.memory_bytes();
  settings.host_memory = std::move(memory);
  return settings;
}

wb::Result<std::unique_ptr<wb::Device>> MakeCpu(const wasmburst::engine::Hello& hello,
                                                std::shared_ptr<wb::HostMemory> memory) {
  auto settings = SettingsOf<wb::CpuSettings>(hello, std::move(memory));
  settings.builds = !hello.runs_only();
  return wb::CreateCpuDevice(settings);
}

wb::Result<std::unique_ptr<wb::Device>> MakeGpu(const wasmburst::engine::Hello& hello,
                                                std::shared_ptr<wb::HostMemory> memory, int gpus) {
  static wb::test::FakeGpu gpu;
  gpu.gpus = gpus;
  auto settings = SettingsOf<wb::CudaSettings>(hello, std::move(memory));
  settings.ordinal = static_cast<int>(hello.gpu_ordinal());
  settings.resident = hello.cuda_resident();
  settings.low_priority = hello.low_priority();
  settings.maps_memory = !hello.cuda_reserves();
  wb::CudaParts parts = gpu.Parts();
  if (!hello.builds_for().empty()) {
    if (hello.builds_for() != kArchitecture) {
      return wb::Status(wb::Reason::kInternal,
                        "The fake GPU's target came as [" + hello.builds_for() + "].");
    }
    return wb::CreateCudaBuilder(hello.id(), std::move(parts.builds));
  }
  if (hello.runs_only()) {
    parts.builds = {};
    parts.builds.target = kArchitecture;
  }
  return wb::CreateCudaDevice(settings, std::move(parts));
}

wb::Result<std::unique_ptr<wb::Device>> MakeDevice(const wasmburst::engine::Hello& hello,
                                                   std::shared_ptr<wb::HostMemory> memory,
                                                   int gpus) {
  switch (static_cast<wb::Engine>(hello.engine())) {
    case wb::Engine::kInterpreter:
      return wb::CreateInterpreterDevice(
          SettingsOf<wb::InterpreterSettings>(hello, std::move(memory)));
    case wb::Engine::kCpu: return MakeCpu(hello, std::move(memory));
    default: return MakeGpu(hello, std::move(memory), gpus);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "fake_gpu_host is started by tests and does nothing by itself.\n");
    return 2;
  }
  if (!wb::BecomeEngineHost(std::atoll(argv[2]), std::atoi(argv[3]),
                            wb::HostProcess::Inherits::kLittle))
    return 1;
  const int gpus = VisibleGpus();  // before its file is out of reach
  const auto isolated = wb::IsolateHost(std::vector<std::string>(argv + 4, argv + argc));
  const auto make = [&isolated, gpus](const wasmburst::engine::Hello& hello,
                                      std::shared_ptr<wb::HostMemory> memory) {
    if (!isolated.ok()) return wb::Result<std::unique_ptr<wb::Device>>(isolated.status());
    return MakeDevice(hello, std::move(memory), gpus);
  };
  auto* server =
      new wb::EngineServer(wb::UniqueFd(wb::kEngineSocket), make, wb::Channel::kMaxMessageBytes,
                           isolated.ok() ? *isolated : "");
  server->Serve();
  ::_exit(0);  // launches may be under way, and no call waits for them any more
}
