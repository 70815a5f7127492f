// What a CUDA programmer would write for guests/histogram.c: one thread per instance, numbers and counts
// in local memory, or interleaved in global memory.

typedef unsigned int uint;
typedef unsigned long long ulong64;
enum {
  kBatches = 20,
  kNumbers = 1024,
  kHalf = 1024,
  kCells = kHalf * 23,
  kScratchWords = kCells + 2 * kNumbers
};
__constant__ uint permille[4] = {500, 900, 990, 999};

__device__ inline uint CellOf(ulong64 number) {
  const int bits = 64 - __clzll((long long)(number | 1));
  if (bits <= 11) return (uint)number;
  const int shift = bits - 11;
  return shift * kHalf + (uint)(number >> shift);
}

__device__ inline ulong64 NumberOf(uint cell) {
  if (cell < 2 * kHalf) return cell;
  const uint shift = cell / kHalf - 1;
  return (ulong64)(cell - shift * kHalf) << shift;
}

__device__ inline uint Fold(uint digest, ulong64 number) {
  digest = (digest ^ (uint)number) * 16777619u;
  return (digest ^ (uint)(number >> 32)) * 16777619u;
}

template <int stride>
__device__ uint Histogram(ulong64 *numbers, uint *counts, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int i = 0; i < kCells; ++i) counts[i * stride] = 0;
  ulong64 sum = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    for (int i = 0; i < kNumbers; ++i) {
      random = random * 1664525u + 1013904223u;
      const uint shift = random >> 27;
      random = random * 1664525u + 1013904223u;
      numbers[i * stride] = random >> shift;
    }
    for (int i = 0; i < kNumbers; ++i) {
      const ulong64 number = numbers[i * stride];
      ++counts[CellOf(number) * stride];
      sum += number;
    }
  }
  uint digest = Fold(2166136261u, sum / (kBatches * kNumbers));
  uint seen = 0, cell = 0;  // percentiles go up: each goes on where the last one was found
  for (int i = 0; i < 4; ++i) {
    const uint wanted = kBatches * kNumbers / 1000 * permille[i];
    while (seen + counts[cell * stride] < wanted) seen += counts[cell++ * stride];
    digest = Fold(digest, NumberOf(cell));
  }
  return digest;
}

extern "C" __global__ void histogram_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  ulong64 numbers[kNumbers];
  uint counts[kCells];
  if (lane < lanes) digests[lane] = Histogram<1>(numbers, counts, lane);
}

extern "C" __global__ void histogram_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint *words = scratch + (size_t)(lane / 32) * 32 * kScratchWords;
  ulong64 *numbers = (ulong64 *)words + lane % 32;
  uint *counts = words + 32 * 2 * kNumbers + lane % 32;
  if (lane < lanes) digests[lane] = Histogram<32>(numbers, counts, lane);
}
