// Four kernels against hand-written CUDA on an NVIDIA GPU: sha256, gemm in f64 and a shell sort
// (kernel_guests.c) and a quicksort with a comparator (calls.c's `sort`). A module's kernel text
// runs on the cuda device, the kernels of cuda_NAME.cu are launched by hand, in turns and on the
// same inputs; every lane's digest must be equal in every round. Both are compiled with
// -fmad=false.
//
//   cuda_kernels FOLDER [LANES [ROUNDS]]
//
// FOLDER holds the .cu files, kernel_guests.wasm and calls.wasm. LANES: as many as the GPU has
// threads, unless named. Times are the device's own, of one launch that starts and ends all lanes;
// the module's includes clearing what the launch before it wrote.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/cuda/hand_kernels.h"
#include "bench/cuda/probe_work.h"
#include "scheduler/devices/cuda/cuda_device.h"

namespace wb {
namespace {

struct Kernel {
  const char* name;
  const char* wasm;
  const char* function;
  const char* text;
  uint32_t scratch_words;  // of a lane of the variants in global memory
  std::vector<const char*> variants;
};
const std::vector<Kernel> kKernels = {
    {"sha256", "kernel_guests.wasm", "sha256", "cuda_sha256.cu", 0, {"sha256_registers"}},
    {"gemm f64", "kernel_guests.wasm", "gemm", "cuda_gemm.cu", 3456, {"gemm_local", "gemm_global"}},
    {"shell sort",
     "kernel_guests.wasm",
     "shellsort",
     "cuda_shellsort.cu",
     2048,
     {"shellsort_local", "shellsort_global"}},
    {"quicksort",
     "calls.wasm",
     "sort",
     "cuda_quicksort.cu",
     4096,
     {"local_pointer", "local_switch", "global_pointer", "global_switch"}},
};

// What the scheduler reserves at first for recursion.
constexpr uint32_t kStackSlots = 2048;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "cuda_kernels: [%s] cannot be read\n", path.c_str());
    std::exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Times {
  std::vector<double> ms;
  double Median() {
    std::sort(ms.begin(), ms.end());
    return (ms[ms.size() / 2] + ms[(ms.size() - 1) / 2]) / 2;
  }
};

void PrintRow(const char* kernel, const char* what, Times& times, double module_ms,
              const std::string& more) {
  const double median = times.Median();
  std::printf("%-11s %-18s %10.3f %10.3f .. %-10.3f %6.2f   %s\n", kernel, what, median,
              times.ms.front(), times.ms.back(), module_ms / median, more.c_str());
}

// The module's kernels, in turns.
class ModuleRounds {
 public:
  ModuleRounds(Device& device, const Work& work) : work_(work), module_(device, work) {}

  // Digests of the full build.
  std::vector<uint32_t> Run(bool counts) {
    std::vector<uint32_t> wanted = Launch({}, &full, counts);
    bool equal = Launch({.few_registers = true}, &few_registers, counts) == wanted;
    module_.Use(Effort::kQuick);
    equal = Launch({}, &quick, counts) == wanted && equal;
    module_.Use(Effort::kFull);
    are_equal = are_equal && equal;
    return wanted;
  }

  Times full, few_registers, quick;
  uint32_t failed = 0;
  bool are_equal = true;

 private:
  std::vector<uint32_t> Launch(const Occupancy& occupancy, Times* times, bool counts) {
    const double ms = static_cast<double>(module_.Launch(occupancy).count()) / 1e6;
    if (counts) times->ms.push_back(ms);
    return Digests(work_, module_.Records(), &failed);
  }

  const Work& work_;
  DeviceWork module_;
};

// False: a lane's digest differs or a lane did not return.
bool Compare(Device& device, const Kernel& kernel, const std::string& folder, uint32_t lanes,
             int rounds) {
  Work work =
      PrepareWork(folder + "/" + kernel.wasm, kernel.function, lanes, {{ValueType::kI32, 0, 1}});
  work.shape.capacity_stack = kStackSlots;
  ModuleRounds module(device, work);
  HandKernels hand(HandKernels::Compile(Contents(folder + "/" + kernel.text)), lanes,
                   kernel.scratch_words);
  std::vector<Times> hand_times(kernel.variants.size());
  bool equal = true;
  for (int round = -1; round < rounds; ++round) {  // the first one warms up
    const std::vector<uint32_t> wanted = module.Run(round >= 0);
    for (size_t i = 0; i < kernel.variants.size(); ++i) {
      std::vector<uint32_t> digests;
      const double hand_ms = hand.Run(kernel.variants[i], &digests);
      if (round >= 0) hand_times[i].ms.push_back(hand_ms);
      equal = equal && digests == wanted;
    }
  }
  const double module_ms = module.full.Median();
  equal = equal && module.are_equal;
  const uint32_t failed = module.failed;
  const bool good = equal && failed == 0;
  PrintRow(kernel.name, "module", module.full, module_ms,
           failed != 0 ? std::to_string(failed) + " lanes DID NOT RETURN"
           : equal     ? "digests equal"
                       : "digests DIFFERENT");
  if (device.info().few_registers)
    PrintRow("", "few registers", module.few_registers, module_ms, "");
  if (device.info().quick_text_below > 0) PrintRow("", "quick build", module.quick, module_ms, "");
  for (size_t i = 0; i < kernel.variants.size(); ++i) {
    PrintRow("", kernel.variants[i], hand_times[i], module_ms, hand.Resources(kernel.variants[i]));
  }
  std::fflush(stdout);
  return good;
}

int Main(int argc, char** argv) {
  const int lanes_asked = argc > 2 ? std::atoi(argv[2]) : 0;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
  if (argc < 2 || argc > 4 || (argc > 2 && lanes_asked < 1) || rounds < 1) {
    std::fprintf(stderr, "usage: cuda_kernels FOLDER [LANES [ROUNDS]]\n");
    return 2;
  }
  const auto device = Must(CreateCudaDevice({}), "cuda device");
  const uint32_t lanes =
      lanes_asked > 0 ? static_cast<uint32_t>(lanes_asked) : device->info().threads;
  std::printf("%s: %u lanes, %d rounds in turns; ratio: the module's time over this one's\n",
              device->info().name.c_str(), lanes, rounds);
  std::printf("%-11s %-18s %10s %10s .. %-10s %6s\n", "kernel", "what", "median ms", "lowest",
              "highest", "ratio");
  bool good = true;
  for (const Kernel& kernel : kKernels) {
    good = Compare(*device, kernel, argv[1], lanes, rounds) && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
