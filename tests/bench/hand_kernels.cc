// CUDA's words as C++ has them, then the files themselves, each in a namespace of its own.
#include "tests/bench/hand_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

#define __device__
#define __global__
#define __constant__ static const
#define __shared__ static  // a block is one thread here

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
inline int __clzll(long long word) { return std::countl_zero(static_cast<uint64_t>(word)); }
// Bytes of the first word alone, as the kernels use it.
inline uint32_t __byte_perm(uint32_t word, uint32_t, uint32_t order) {
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i) bytes |= (word >> 8 * (order >> 4 * i & 3) & 255) << 8 * i;
  return bytes;
}
inline void __syncthreads() {}
struct uint4 {
  uint32_t x, y, z, w;
};
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }
using std::max;
using std::min;
using std::sqrt;

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
namespace sha512 {
#include "bench/race/cuda/sha512.cu"
}
namespace bcrypt {
#include "bench/race/cuda/bcrypt.cu"
}
namespace scrypt {
#include "bench/race/cuda/scrypt.cu"
}
namespace xxh64 {
#include "bench/race/cuda/xxh64.cu"
}
namespace lexer {
#include "bench/race/cuda/lexer.cu"
}
namespace mandelbrot {
#include "bench/race/cuda/mandelbrot.cu"
}
namespace nbody {
#include "bench/race/cuda/nbody.cu"
}
namespace trees {
#include "bench/race/cuda/trees.cu"
}
namespace nqueens {
#include "bench/race/cuda/nqueens.cu"
}
namespace pbkdf2 {
#include "bench/race/cuda/pbkdf2.cu"
}
namespace blur {
#include "bench/race/cuda/blur.cu"
}
namespace histogram {
#include "bench/race/cuda/histogram.cu"
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

const std::map<std::string, HandKernel>& RaceHandKernels() {
#define WB_HAND(kernel, name)       \
  {                                 \
#name, { #name, &kernel::name } \
  }
  static const std::map<std::string, HandKernel> kernels = {
      WB_HAND(sha512, sha512_registers),
      WB_HAND(bcrypt, bcrypt_local),
      WB_HAND(bcrypt, bcrypt_global),
      WB_HAND(bcrypt, bcrypt_shared),
      WB_HAND(scrypt, scrypt_rows),
      WB_HAND(scrypt, scrypt_interleaved),
      WB_HAND(xxh64, xxh64_local),
      WB_HAND(xxh64, xxh64_global),
      WB_HAND(lexer, lexer_local),
      WB_HAND(lexer, lexer_global),
      WB_HAND(mandelbrot, mandelbrot_registers),
      WB_HAND(nbody, nbody_registers),
      WB_HAND(trees, trees_registers),
      WB_HAND(trees, trees_shared),
      WB_HAND(nqueens, nqueens_stack),
      WB_HAND(nqueens, nqueens_recursive),
      WB_HAND(pbkdf2, pbkdf2_registers),
      WB_HAND(blur, blur_plain),
      WB_HAND(blur, blur_blocked),
      WB_HAND(histogram, histogram_local),
      WB_HAND(histogram, histogram_global),
  };
#undef WB_HAND
  return kernels;
}

}  // namespace wb::test
