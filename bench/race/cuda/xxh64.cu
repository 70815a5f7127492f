// What a CUDA programmer would write for guests/xxh64.c: one thread per instance, the input by words of
// 64 bits in local memory, or interleaved in global memory.

typedef unsigned int uint;
typedef unsigned long long ulong64;
enum { kBytes = 4093, kWords = (kBytes + 7) / 8, kStripes = kBytes / 32, kHashes = 16 };

__device__ const ulong64 kPrime1 = 0x9e3779b185ebca87u, kPrime2 = 0xc2b2ae3d27d4eb4fu,
                         kPrime3 = 0x165667b19e3779f9u, kPrime4 = 0x85ebca77c2b2ae63u,
                         kPrime5 = 0x27d4eb2f165667c5u;

__device__ inline ulong64 Rotate(ulong64 x, int by) { return x << by | x >> (64 - by); }
__device__ inline ulong64 Round(ulong64 lane, ulong64 word) {
  return Rotate(lane + word * kPrime2, 31) * kPrime1;
}
__device__ inline ulong64 Merge(ulong64 hash, ulong64 lane) {
  return (hash ^ Round(0, lane)) * kPrime1 + kPrime4;
}

// Of kBytes: so many stripes of 32, then three words, four bytes and one.
template <int stride>
__device__ ulong64 Hash(const ulong64 *words, ulong64 seed) {
  ulong64 a = seed + kPrime1 + kPrime2, b = seed + kPrime2, c = seed, d = seed - kPrime1;
  for (int stripe = 0; stripe < kStripes; ++stripe) {
    const ulong64 *at = words + 4 * stripe * stride;
    a = Round(a, at[0]);
    b = Round(b, at[stride]);
    c = Round(c, at[2 * stride]);
    d = Round(d, at[3 * stride]);
  }
  ulong64 hash = Rotate(a, 1) + Rotate(b, 7) + Rotate(c, 12) + Rotate(d, 18);
  hash = Merge(Merge(Merge(Merge(hash, a), b), c), d) + kBytes;
  for (int i = 4 * kStripes; i < kWords - 1; ++i) {
    hash = Rotate(hash ^ Round(0, words[i * stride]), 27) * kPrime1 + kPrime4;
  }
  const ulong64 last = words[(kWords - 1) * stride];
  hash = Rotate(hash ^ (uint)last * kPrime1, 23) * kPrime2 + kPrime3;
  hash = Rotate(hash ^ (last >> 32 & 255) * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

template <int stride>
__device__ uint Xxh64(ulong64 *words, uint seed) {
  uint random = seed * 2654435761u + 1;
  for (int i = 0; i < kWords; ++i) {
    const uint low = random = random * 1664525u + 1013904223u;
    random = random * 1664525u + 1013904223u;
    words[i * stride] = (ulong64)random << 32 | low;
  }
  ulong64 hash = 0;
  for (int i = 0; i < kHashes; ++i) hash = Hash<stride>(words, hash);
  const uint digest = (2166136261u ^ (uint)(hash >> 32)) * 16777619u;
  return (digest ^ (uint)hash) * 16777619u;
}

extern "C" __global__ void xxh64_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  ulong64 words[kWords];
  if (lane < lanes) digests[lane] = Xxh64<1>(words, lane);
}

extern "C" __global__ void xxh64_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  ulong64 *words = (ulong64 *)scratch + (size_t)(lane / 32) * 32 * kWords + lane % 32;
  if (lane < lanes) digests[lane] = Xxh64<32>(words, lane);
}
