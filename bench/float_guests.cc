// What metal floats cost programs beside native ones: the exports of float_guests.c, in turns, one
// table. On one thread of the CPU device (processor time), or on an NVIDIA GPU launched by hand
// (time on the device; metal with -ftz=true). Records must be equal to the CPU device's native
// ones.
//
//   float_guests cpu|cuda GUESTS.wasm [RUNS]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "bench/cuda/cuda_work.h"
#include "bench/cuda/probe_work.h"
#include "scheduler/devices/cpu/cpu_device.h"

namespace wb {
namespace {

struct Guest {
  const char* function;
  uint32_t rounds;  // on the CPU; a GPU's lanes are many more, so they work kShare times less
};
constexpr Guest kGuests[] = {
    {"mandelbrot64", 60000}, {"nbody", 8000}, {"gemm64", 30}, {"gemm32", 30}, {"conv32", 10},
};
constexpr uint32_t kShare = 10;
constexpr uint32_t kCpuLanes = 8;
constexpr uint32_t kGpuLanes = 33792;

struct Row {
  const char* name;
  double native_ms = 0;
  double metal_ms = 0;
  bool equal = false;
};

// The fewest milliseconds: what else a machine does only adds.
double Lowest(const std::function<double()>& run, int runs) {
  double lowest = run();
  for (int i = 1; i < runs; ++i) lowest = std::min(lowest, run());
  return lowest;
}

// The device computes on the calling thread.
double ThreadMilliseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

Work WorkOf(const std::string& file, const Guest& guest, uint32_t lanes, uint32_t rounds) {
  return PrepareWork(file, guest.function, lanes,
                     {{ValueType::kI32, 1, 1}, {ValueType::kI32, double(rounds), 0}});
}

Row OnCpu(const std::string& file, const Guest& guest, int runs) {
  const Work work = WorkOf(file, guest, kCpuLanes, guest.rounds);
  const auto device = [](bool metal) {
    CpuSettings settings;
    settings.threads = 1;
    settings.metal_floats = metal;
    return Must(CreateCpuDevice(settings), "cpu device");
  };
  const auto native_device = device(false), metal_device = device(true);
  DeviceWork native(*native_device, work), metal(*metal_device, work);
  const auto timed = [](DeviceWork& on) {
    return [&on] {
      const double begin = ThreadMilliseconds();
      on.Launch();
      return ThreadMilliseconds() - begin;
    };
  };
  Row row{guest.function};
  row.native_ms = Lowest(timed(native), runs);
  row.metal_ms = Lowest(timed(metal), runs);
  row.equal = native.Records() == metal.Records();
  return row;
}

Row OnGpu(const std::string& file, const Guest& guest, int runs) {
  const Work work = WorkOf(file, guest, kGpuLanes, std::max(1u, guest.rounds / kShare));
  const auto cpu = ReferenceDevice();
  DeviceWork expected(*cpu, work);
  expected.Launch();
  Row row{guest.function};
  row.equal = true;
  for (const bool metal : {false, true}) {
    CompileOptions options;
    options.layout = MemoryLayout::kInterleaved;
    options.floats = metal ? Floats::kMetal : Floats::kNative;
    CudaWork gpu(work, options);
    LaunchLimits whole;
    whole.quantum = 1u << 30;
    int launches = 0;
    (metal ? row.metal_ms : row.native_ms) =
        Lowest([&] { return double(gpu.Run(whole, 128, &launches)); }, runs);
    row.equal = row.equal && gpu.records() == expected.Records();
  }
  return row;
}

int Main(int argc, char** argv) {
  const bool cuda = argc > 1 && std::strcmp(argv[1], "cuda") == 0;
  if (argc < 3 || (!cuda && std::strcmp(argv[1], "cpu") != 0)) {
    std::fprintf(stderr, "usage: float_guests cpu|cuda GUESTS.wasm [RUNS]\n");
    return 2;
  }
  const int runs = argc > 3 ? std::max(1, std::atoi(argv[3])) : 5;
  bool equal = true;
  std::printf("%-14s %10s %10s %7s   records (%u lanes, lowest of %d)\n", "guest", "native ms",
              "metal ms", "ratio", cuda ? kGpuLanes : kCpuLanes, runs);
  for (const Guest& guest : kGuests) {
    const Row row = (cuda ? OnGpu : OnCpu)(argv[2], guest, runs);
    std::printf("%-14s %10.2f %10.2f %7.2f   %s\n", row.name, row.native_ms, row.metal_ms,
                row.metal_ms / row.native_ms, row.equal ? "equal" : "DIFFERENT");
    std::fflush(stdout);
    equal = equal && row.equal;
  }
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
