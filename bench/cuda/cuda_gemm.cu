// What a CUDA programmer would write for kernel_guests.c's `gemm`: one thread per instance, its three
// matrices in local memory, or interleaved in global memory. The sums have the guest's order and no
// fused operations, so that the bits are the same. cuda_kernels.cc runs both.

typedef unsigned int uint;
enum { kSide = 24, kCells = kSide * kSide, kProducts = 10 };

// One thread's numbers: side by side, or every 32nd of its warp's part of global memory.
struct LocalCells {
  double *cells;
  __device__ double &operator[](int i) const { return cells[i]; }
  __device__ LocalCells From(int i) const { return LocalCells{cells + i}; }
};
struct InterleavedCells {
  double *cells;
  __device__ double &operator[](int i) const { return cells[i * 32]; }
  __device__ InterleavedCells From(int i) const { return InterleavedCells{cells + i * 32}; }
};

__device__ double Unit(uint &random) {
  random = random * 1664525u + 1013904223u;
  return (double)(random >> 8) * 0x1p-24;
}

template <typename Cells>
__device__ uint Gemm(Cells a, Cells b, Cells c, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int i = 0; i < kCells; ++i) {
    a[i] = Unit(random);
    b[i] = Unit(random) - 0.5;
    c[i] = Unit(random);
  }
  for (int round = 0; round < kProducts; ++round) {
    for (int i = 0; i < kSide; ++i) {
      for (int j = 0; j < kSide; ++j) {
        double sum = c[i * kSide + j];
        for (int k = 0; k < kSide; ++k) sum += a[i * kSide + k] * b[k * kSide + j];
        c[i * kSide + j] = sum;
      }
    }
  }
  uint digest = 2166136261u;
  for (int i = 0; i < kCells; ++i) {
    const long long bits = __double_as_longlong(c[i]);
    digest = (digest ^ (uint)bits) * 16777619u;
    digest = (digest ^ (uint)(bits >> 32)) * 16777619u;
  }
  return digest;
}

extern "C" __global__ void gemm_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  double cells[3 * kCells];
  const LocalCells a{cells};
  if (lane < lanes) digests[lane] = Gemm(a, a.From(kCells), a.From(2 * kCells), lane);
}

extern "C" __global__ void gemm_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  const size_t warp = lane / 32;
  const InterleavedCells a{(double *)scratch + warp * 32 * 3 * kCells + lane % 32};
  digests[lane] = Gemm(a, a.From(kCells), a.From(2 * kCells), lane);
}
