// What a CUDA programmer would write for calls.c's `sort`: one thread per instance, an explicit stack
// (the larger part waits on it, so 12 entries do), the items in local memory or interleaved in global
// memory, the comparator a device function's pointer or a switch. cuda_kernels.cc runs the four.

typedef unsigned int uint;
enum { kItems = 4096, kDepth = 12 };

typedef bool (*Before)(uint, uint);
__device__ bool Up(uint a, uint b) { return a < b; }
__device__ bool Down(uint a, uint b) { return b < a; }
__device__ bool LowHalfFirst(uint a, uint b) {
  return __funnelshift_l(a, a, 16) < __funnelshift_l(b, b, 16);
}
__device__ bool Signed(uint a, uint b) { return (int)a < (int)b; }
__device__ const Before orders[] = {Up, Down, LowHalfFirst, Signed};

struct ByPointer {
  Before before;
  __device__ explicit ByPointer(uint order) : before(orders[order]) {}
  __device__ bool operator()(uint a, uint b) const { return before(a, b); }
};
struct BySwitch {
  uint order;
  __device__ explicit BySwitch(uint o) : order(o) {}
  __device__ bool operator()(uint a, uint b) const {
    switch (order) {
      case 0: return Up(a, b);
      case 1: return Down(a, b);
      case 2: return LowHalfFirst(a, b);
      default: return Signed(a, b);
    }
  }
};

// Items of one thread: side by side, or every 32nd word of its warp's part of global memory.
struct Local {
  uint *items;
  __device__ uint &operator[](int i) const { return items[i]; }
};
struct Interleaved {
  uint *items;
  __device__ uint &operator[](int i) const { return items[i * 32]; }
};

template <typename Items, typename Order>
__device__ void Quicksort(Items items, Order before) {
  int lows[kDepth], highs[kDepth], depth = 0, low = 0, high = kItems - 1;
  while (true) {
    while (low < high) {
      const uint pivot = items[(low + high) / 2];
      int i = low, j = high;
      while (i <= j) {
        while (before(items[i], pivot)) ++i;
        while (before(pivot, items[j])) --j;
        if (i > j) break;
        const uint kept = items[i];
        items[i++] = items[j];
        items[j--] = kept;
      }
      const bool left_is_larger = j - low > high - i;
      lows[depth] = left_is_larger ? low : i;
      highs[depth++] = left_is_larger ? j : high;
      low = left_is_larger ? i : low;
      high = left_is_larger ? high : j;
    }
    if (depth == 0) return;
    low = lows[--depth];
    high = highs[depth];
  }
}

template <typename Items, typename Order>
__device__ uint Sort(Items items, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int i = 0; i < kItems; ++i) items[i] = random = random * 1664525u + 1013904223u;
  Quicksort(items, Order(seed / 32 % 4));
  uint digest = 2166136261u;
  for (int i = 0; i < kItems; ++i) digest = (digest ^ items[i]) * 16777619u;
  return digest;
}

template <typename Order>
__device__ void InLocal(uint *digests, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint items[kItems];
  if (lane < lanes) digests[lane] = Sort<Local, Order>(Local{items}, lane);
}
template <typename Order>
__device__ void InGlobal(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint *items = scratch + (size_t)(lane / 32) * 32 * kItems + lane % 32;
  if (lane < lanes) digests[lane] = Sort<Interleaved, Order>(Interleaved{items}, lane);
}

#define WB_KERNEL(name, body) \
  extern "C" __global__ void name(uint *digests, uint *scratch, uint lanes) { body; }
WB_KERNEL(local_pointer, InLocal<ByPointer>(digests, lanes))
WB_KERNEL(local_switch, InLocal<BySwitch>(digests, lanes))
WB_KERNEL(global_pointer, InGlobal<ByPointer>(digests, scratch, lanes))
WB_KERNEL(global_switch, InGlobal<BySwitch>(digests, scratch, lanes))
