// Times the hand-written kernels of cuda_quicksort.cu on an NVIDIA GPU and checks every digest:
// what calls.c's `sort` in cuda_probe is to be compared with.
//
//   cuda_quicksort CUDA_QUICKSORT.cu LANES

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/cuda_driver.h"

namespace wb {
namespace {

constexpr uint32_t kItems = 4096;
constexpr int kRepeats = 5;

bool Before(uint32_t order, uint32_t a, uint32_t b) {
  switch (order) {
    case 0: return a < b;
    case 1: return b < a;
    case 2: return (a << 16 | a >> 16) < (b << 16 | b >> 16);
    default: return static_cast<int32_t>(a) < static_cast<int32_t>(b);
  }
}

uint32_t ExpectedDigest(uint32_t seed) {
  std::vector<uint32_t> items(kItems);
  uint32_t random = seed * 2654435761u + 1;
  for (uint32_t& item : items) item = random = random * 1664525u + 1013904223u;
  const uint32_t order = seed / 32 % 4;
  std::sort(items.begin(), items.end(),
            [order](uint32_t a, uint32_t b) { return Before(order, a, b); });
  uint32_t digest = 2166136261u;
  for (uint32_t item : items) digest = (digest ^ item) * 16777619u;
  return digest;
}

class Gpu {
 public:
  Gpu(const std::string& text, uint32_t lanes) : lanes_(lanes) {
    cuda_.Call("cuInit", cuda_.cuInit(0));
    cuda_.Call("cuDevicePrimaryCtxRetain", cuda_.cuDevicePrimaryCtxRetain(&context_, 0));
    cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
    const std::string cubin = nvrtc_.Compile(text, "");
    cuda_.Call("cuModuleLoadData", cuda_.cuModuleLoadData(&module_, cubin.data()));
    const uint64_t groups = (lanes + 31) / 32;
    cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&digests_, uint64_t{lanes} * 4));
    cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&scratch_, groups * 32 * kItems * 4));
  }

  // Milliseconds of the kernel, and what it wrote.
  float Run(const char* name, std::vector<uint32_t>* digests) {
    void* kernel = nullptr;
    cuda_.Call("cuModuleGetFunction", cuda_.cuModuleGetFunction(&kernel, module_, name));
    void* args[] = {&digests_, &scratch_, &lanes_};
    void *begin = nullptr, *end = nullptr;
    cuda_.Call("memset", cuda_.cuMemsetD8(digests_, 0, uint64_t{lanes_} * 4));
    cuda_.Call("event", cuda_.cuEventCreate(&begin, 0));
    cuda_.Call("event", cuda_.cuEventCreate(&end, 0));
    cuda_.Call("event", cuda_.cuEventRecord(begin, nullptr));
    cuda_.Call("cuLaunchKernel", cuda_.cuLaunchKernel(kernel, (lanes_ + 127) / 128, 1, 1, 128, 1, 1,
                                                      0, nullptr, args, nullptr));
    cuda_.Call("event", cuda_.cuEventRecord(end, nullptr));
    cuda_.Call("cuEventSynchronize", cuda_.cuEventSynchronize(end));
    float milliseconds = 0;
    cuda_.Call("event", cuda_.cuEventElapsedTime(&milliseconds, begin, end));
    digests->resize(lanes_);
    cuda_.Call("download", cuda_.cuMemcpyDtoH(digests->data(), digests_, uint64_t{lanes_} * 4));
    return milliseconds;
  }

  void PrintResources(const char* name) {
    void* kernel = nullptr;
    cuda_.Call("cuModuleGetFunction", cuda_.cuModuleGetFunction(&kernel, module_, name));
    int registers = 0, local = 0;
    cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&registers, 4, kernel));
    cuda_.Call("attribute", cuda_.cuFuncGetAttribute(&local, 3, kernel));
    std::printf("%-15s %3d registers, %5d bytes of local memory", name, registers, local);
  }

 private:
  CudaDriver cuda_;
  Nvrtc nvrtc_;
  uint32_t lanes_;
  void* context_ = nullptr;
  void* module_ = nullptr;
  uint64_t digests_ = 0, scratch_ = 0;
};

int Main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cuda_quicksort CUDA_QUICKSORT.cu LANES\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto lanes = static_cast<uint32_t>(std::atoi(argv[2]));
  std::vector<uint32_t> expected(lanes);
  for (uint32_t lane = 0; lane < lanes; ++lane) expected[lane] = ExpectedDigest(lane);

  Gpu gpu(text, lanes);
  bool equal = true;
  for (const char* name : {"local_pointer", "local_switch", "global_pointer", "global_switch"}) {
    std::vector<float> times;
    std::vector<uint32_t> digests;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      times.push_back(gpu.Run(name, &digests));
      equal = equal && digests == expected;
    }
    std::sort(times.begin(), times.end());
    gpu.PrintResources(name);
    std::printf("; %.3f ms (%.3f to %.3f), digests %s\n", times[kRepeats / 2], times.front(),
                times.back(), digests == expected ? "equal" : "DIFFERENT");
  }
  return equal ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) { return wb::Main(argc, argv); }
