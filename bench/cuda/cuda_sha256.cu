// What a CUDA programmer would write for kernel_guests.c's `sha256`: one thread per instance, state and a
// message schedule of 16 words in registers, all rounds unrolled. cuda_kernels.cc runs it.

typedef unsigned int uint;
enum { kHashes = 200 };

__constant__ uint constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};
__constant__ uint start[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
    0x5be0cd19,
};

__device__ inline uint Rotate(uint x, int by) { return __funnelshift_r(x, x, by); }
__device__ inline uint Choose(uint x, uint y, uint z) { return (x & y) ^ (~x & z); }
__device__ inline uint Majority(uint x, uint y, uint z) { return (x & y) ^ (x & z) ^ (y & z); }

// The schedule is a ring: w[i % 16] holds word i, and then word i + 16.
__device__ inline uint Scheduled(uint w[16], int i) {
  if (i < 16) return w[i];
  const uint a = w[(i + 1) % 16], b = w[(i + 14) % 16];
  return w[i % 16] += w[(i + 9) % 16] + (Rotate(a, 7) ^ Rotate(a, 18) ^ (a >> 3)) +
                      (Rotate(b, 17) ^ Rotate(b, 19) ^ (b >> 10));
}

__device__ void Hash(uint words[8]) {
  uint w[16] = {words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
                0x80000000u, 0, 0, 0, 0, 0, 0, 256};
  uint s[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) s[i] = start[i];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const uint e = s[4], a = s[0];
    const uint first = s[7] + (Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25)) +
                       Choose(e, s[5], s[6]) + constants[i] + Scheduled(w, i);
    const uint second = (Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22)) + Majority(a, s[1], s[2]);
#pragma unroll
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) words[i] = start[i] + s[i];
}

extern "C" __global__ void sha256_registers(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint random = lane * 2654435761u + 1, words[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) words[i] = random = random * 1664525u + 1013904223u;
  for (int i = 0; i < kHashes; ++i) Hash(words);
  digests[lane] = words[0];
}
