// Runs a module's kernel text, interleaved layout, on an NVIDIA GPU through NVRTC, hand-launched,
// and compares every record with the CPU device's. Prints registers and local memory per thread as
// the driver reports them, and times: whole, cut into slices, and a hand-written kernel beside it.
// An experiment for the kernel's shape (compiler/docs/frames.md), not the CUDA device.
//
//   cuda_probe [--copies N] [--metal-floats] FILE.wasm EXPORT LANES [ARG]...
//   An ARG is `type:value` or `type:value+step` per lane; --copies: of recursive functions;
//   --metal-floats: what a Mac gets, with subnormals flushed as there.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench/cuda/cuda_work.h"
#include "bench/cuda/probe_work.h"

namespace wb {
namespace {

std::vector<uint32_t> RunOnCpu(const Work& work) {
  const auto device = ReferenceDevice();
  DeviceWork cpu(*device, work);
  const auto start = std::chrono::steady_clock::now();
  cpu.Launch();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("%s (%u threads): %.2f ms\n", device->info().id.c_str(), device->info().threads,
              took.count());
  return cpu.Records();
}

constexpr uint32_t kMostLanesInTinySlices = 40'000;

// Takes what it knows off the arguments.
CompileOptions TakeOptions(int* argc, char*** argv) {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  if (*argc > 2 && std::strcmp((*argv)[1], "--copies") == 0) {
    options.most_copies = static_cast<uint32_t>(std::atoi((*argv)[2]));
    *argc -= 2;
    *argv += 2;
  }
  if (*argc > 1 && std::strcmp((*argv)[1], "--metal-floats") == 0) {
    options.floats = Floats::kMetal;
    --*argc;
    ++*argv;
  }
  return options;
}

struct Variant {
  const char* name;
  LaunchLimits limits;
};

std::vector<Variant> Variants() {
  LaunchLimits whole, quanta, slices, tiny;
  whole.quantum = 1u << 30;
  quanta.quantum = 20000;
  slices.slice_fuel = 100000;
  slices.quantum = 20000;
  tiny.slice_fuel = 1;
  tiny.slice_step = 7;
  return {{"whole", whole},
          {"quanta of 20,000", quanta},
          {"slices of 100,000", slices},
          {"slices of 1 + 7 * lane", tiny}};
}

// Three times; whether the records were the expected ones each time.
bool RunOnGpu(CudaWork& gpu, const Variant& variant, const std::vector<uint32_t>& expected) {
  std::vector<float> times;
  int launches = 0;
  bool same = true;
  for (int repeat = 0; repeat < 3; ++repeat) {
    times.push_back(gpu.Run(variant.limits, 128, &launches));
    same = same && gpu.records() == expected;
  }
  std::sort(times.begin(), times.end());
  std::printf("gpu, %s: %.3f ms (%.3f to %.3f), %d launches, records %s\n", variant.name, times[1],
              times[0], times[2], launches, same ? "equal" : "DIFFERENT");
  return same;
}

int Main(int argc, char** argv) {
  const CompileOptions options = TakeOptions(&argc, &argv);
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: cuda_probe [--copies N] [--metal-floats] FILE.wasm EXPORT LANES "
                 "[TYPE:START+STEP]...\n");
    return 2;
  }
  std::vector<Argument> arguments;
  for (int i = 4; i < argc; ++i) arguments.push_back(ParseArgument(argv[i]));
  const Work work = PrepareWork(argv[1], argv[2], static_cast<uint32_t>(std::atoi(argv[3])),
                                std::move(arguments));
  CudaWork gpu(work, options);
  std::fputs(gpu.report().c_str(), stdout);
  const std::vector<uint32_t> expected = RunOnCpu(work);
  bool equal = true;
  for (const Variant& variant : Variants()) {
    // One launch per safepoint of lane 0, each with all records back: only few lanes stand that.
    if (variant.limits.slice_step != 0 && work.shape.lanes > kMostLanesInTinySlices) continue;
    equal = RunOnGpu(gpu, variant, expected) && equal;
  }
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
