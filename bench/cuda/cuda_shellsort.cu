// What a CUDA programmer would write for kernel_guests.c's `shellsort`: one thread per instance, the items
// in local memory, or interleaved in global memory. cuda_kernels.cc runs both.

typedef unsigned int uint;
enum { kItems = 2048, kGaps = 9 };
__constant__ int gaps[kGaps] = {1636, 701, 301, 132, 57, 23, 10, 4, 1};

// One thread's items: `stride` words apart.
template <int stride>
__device__ uint ShellSort(uint *items, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int i = 0; i < kItems; ++i) items[i * stride] = random = random * 1664525u + 1013904223u;
  for (int g = 0; g < kGaps; ++g) {
    const int gap = gaps[g];
    for (int i = gap; i < kItems; ++i) {
      const uint item = items[i * stride];
      int at = i;
      for (; at >= gap; at -= gap) {
        const uint before = items[(at - gap) * stride];
        if (before <= item) break;
        items[at * stride] = before;
      }
      items[at * stride] = item;
    }
  }
  uint digest = 2166136261u;
  for (int i = 0; i < kItems; ++i) digest = (digest ^ items[i * stride]) * 16777619u;
  return digest;
}

extern "C" __global__ void shellsort_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint items[kItems];
  if (lane < lanes) digests[lane] = ShellSort<1>(items, lane);
}

extern "C" __global__ void shellsort_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint *items = scratch + (size_t)(lane / 32) * 32 * kItems + lane % 32;
  if (lane < lanes) digests[lane] = ShellSort<32>(items, lane);
}
