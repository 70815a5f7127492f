// What the full builds of modules take of an NVIDIA GPU:
//
//   kernel_sizes FILE.wasm...
//
// A line for each kernel of each module: that of as many registers as it may have, or of few; its
// registers, bytes of stack and bytes of code. Needs NVRTC, and no GPU.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "bench/compiling/build_target.h"
#include "bench/compiling/cubin_sizes.h"
#include "compiler/system/system_layer.h"
#include "scheduler/devices/cuda/cubins.h"

namespace wb::bench {
namespace {

constexpr std::chrono::seconds kMostTime{300};

Result<Bytes> Build(const BuildTarget& target, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const Bytes wasm{std::istreambuf_iterator<char>(file), {}};
  WB_ASSIGN(const auto decoded, Module::Decode(wasm));
  WB_ASSIGN(const auto whole, WholeProgram(decoded));
  WB_ASSIGN(const auto module, Lower(whole));
  WB_ASSIGN(const KernelSource source, EmitKernel(*module, target.options()));
  BuildTime time;
  return target.Build(*module, source, Effort::kFull, &time);
}

Status Print(const std::string& name, ByteView binary) {
  WB_ASSIGN(const std::vector<ByteView> kernels, SplitKernels(binary));
  for (size_t i = 0; i < kernels.size(); ++i) {
    WB_ASSIGN(const std::vector<ByteView> cubins, SplitCubins(kernels[i]));
    for (const ByteView cubin : cubins) {
      const auto sizes = SizesOf(cubin);
      if (!sizes) continue;
      std::printf("%-20s %-6s %9u %6u %9zu\n", name.c_str(), i == 0 ? "many" : "few",
                  sizes->registers, sizes->stack_bytes, sizes->code_bytes);
    }
  }
  return {};
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: kernel_sizes FILE.wasm...\n");
    return 2;
  }
  const auto target = BuildTarget::Open("cuda", kMostTime);
  if (!target.ok()) {
    std::fprintf(stderr, "kernel_sizes: %s\n", target.status().ToString().c_str());
    return 2;
  }
  std::printf("%-20s %-6s %9s %6s %9s\n", "module", "kernel", "registers", "stack", "code");
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i];
    const Result<Bytes> binary = Build(**target, path);
    const Status status =
        binary.ok() ? Print(path.substr(path.rfind('/') + 1), *binary) : binary.status();
    if (status.ok()) continue;
    std::fprintf(stderr, "%s: %s\n", path.c_str(), status.ToString().c_str());
    failed = 1;
  }
  return failed;
}

}  // namespace
}  // namespace wb::bench

int main(int argc, char** argv) { return wb::bench::Main(argc, argv); }
