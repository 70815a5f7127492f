// CUDA's words as C++ has them, then the files themselves, each in a namespace of its own.
#include "tests/bench/hand_kernels.h"

#include <cstddef>
#include <cstring>

#define __device__
#define __global__
#define __constant__ static const

namespace wb::test {
namespace {

struct Place {
  uint32_t x;
};
thread_local Place blockIdx, threadIdx;
constexpr Place blockDim{1};

inline uint32_t Funnel(uint32_t low, uint32_t high, uint32_t by) {
  const uint64_t both = static_cast<uint64_t>(high) << 32 | low;
  return static_cast<uint32_t>(both >> by);
}
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t by) {
  return Funnel(low, high, by);
}
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by) {
  return Funnel(low, high, 32 - by);
}
inline long long __double_as_longlong(double number) {
  long long bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

}  // namespace

void BeLane(uint32_t lane) { blockIdx.x = lane; }

namespace sha256 {
#include "bench/cuda/cuda_sha256.cu"
}
namespace gemm {
#include "bench/cuda/cuda_gemm.cu"
}
namespace shellsort {
#include "bench/cuda/cuda_shellsort.cu"
}
namespace quicksort {
#include "bench/cuda/cuda_quicksort.cu"
}

const HandKernel kHandSha256[1] = {{"sha256_registers", &sha256::sha256_registers}};
const HandKernel kHandGemm[2] = {{"gemm_local", &gemm::gemm_local},
                                 {"gemm_global", &gemm::gemm_global}};
const HandKernel kHandShellSort[2] = {{"shellsort_local", &shellsort::shellsort_local},
                                      {"shellsort_global", &shellsort::shellsort_global}};
const HandKernel kHandQuicksort[4] = {{"local_pointer", &quicksort::local_pointer},
                                      {"local_switch", &quicksort::local_switch},
                                      {"global_pointer", &quicksort::global_pointer},
                                      {"global_switch", &quicksort::global_switch}};

}  // namespace wb::test
