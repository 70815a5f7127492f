// An engine host whose device is the cuda device over the fake GPU: for tests that start one.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "scheduler/engine_host/engine_server.h"
#include "scheduler/engine_host/host_process.h"
#include "tests/fakes/fake_gpu.h"

namespace {

wb::Result<std::unique_ptr<wb::Device>> MakeDevice(const wasmburst::engine::Hello& hello,
                                                   std::shared_ptr<wb::HostMemory> memory) {
  static wb::test::FakeGpu gpu;
  wb::CudaSettings settings;
  settings.id = hello.id();
  settings.memory_bytes = hello.memory_bytes();
  settings.host_memory = std::move(memory);
  return wb::CreateCudaDevice(settings, gpu.Parts());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "fake_gpu_host is started by tests and does nothing by itself.\n");
    return 2;
  }
  if (!wb::BecomeEngineHost(std::atoll(argv[2]), std::atoi(argv[3]))) return 1;
  auto* server = new wb::EngineServer(wb::UniqueFd(wb::kEngineSocket), &MakeDevice);
  server->Serve();
  ::_exit(0);  // launches may be under way, and nobody waits for them any more
}
