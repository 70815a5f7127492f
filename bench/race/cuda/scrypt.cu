// What a CUDA programmer would write for guests/scrypt.c: one thread per instance, a block of Salsa in
// registers, the two rows at work in local memory, and the 1,024 rows in global memory by 16 bytes at
// a time: each lane's side by side, or those of a warp interleaved.

#include "sha256.inc"

enum { kN = 1024, kR = 8, kWords = 32 * kR, kQuads = kWords / 4 };

__device__ inline uint RotateLeft(uint x, int by) { return __funnelshift_l(x, x, by); }
__device__ inline uint Swap(uint x) { return __byte_perm(x, 0, 0x0123); }

__device__ inline void Quarter(uint x[16], int a, int b, int c, int d) {
  x[b] ^= RotateLeft(x[a] + x[d], 7);
  x[c] ^= RotateLeft(x[b] + x[a], 9);
  x[d] ^= RotateLeft(x[c] + x[b], 13);
  x[a] ^= RotateLeft(x[d] + x[c], 18);
}

__device__ inline void Salsa8(uint words[16]) {
  uint x[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) x[i] = words[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    Quarter(x, 0, 4, 8, 12);
    Quarter(x, 5, 9, 13, 1);
    Quarter(x, 10, 14, 2, 6);
    Quarter(x, 15, 3, 7, 11);
    Quarter(x, 0, 1, 2, 3);
    Quarter(x, 5, 6, 7, 4);
    Quarter(x, 10, 11, 8, 9);
    Quarter(x, 15, 12, 13, 14);
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) words[i] += x[i];
}

// A lane's rows: quads that are `stride` apart.
template <int stride>
struct Rows {
  uint4 *quads;
  __device__ uint4 &At(uint row, int quad) const { return quads[(row * kQuads + quad) * stride]; }
};

__device__ inline void Mix(uint x[16], int quad, uint4 with) {
  x[4 * quad] ^= with.x;
  x[4 * quad + 1] ^= with.y;
  x[4 * quad + 2] ^= with.z;
  x[4 * quad + 3] ^= with.w;
}

__device__ inline void MixBlocks(const uint4 *from, uint4 *to) {
  uint x[16] = {};
#pragma unroll
  for (int quad = 0; quad < 4; ++quad) Mix(x, quad, from[kQuads - 4 + quad]);
  for (int block = 0; block < 2 * kR; ++block) {
#pragma unroll
    for (int quad = 0; quad < 4; ++quad) Mix(x, quad, from[4 * block + quad]);
    Salsa8(x);
    uint4 *const place = to + 4 * (block / 2 + block % 2 * kR);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      place[i] = make_uint4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]);
    }
  }
}

template <int stride>
__device__ void MixRows(Rows<stride> rows, uint4 *x, uint4 *y) {
  for (int n = 0; n < kN; ++n) {
    for (int quad = 0; quad < kQuads; ++quad) rows.At(n, quad) = x[quad];
    MixBlocks(x, y);
    uint4 *const kept = x;
    x = y;
    y = kept;
  }
  for (int n = 0; n < kN; ++n) {
    const uint row = x[kQuads - 4].x % kN;
    for (int quad = 0; quad < kQuads; ++quad) {
      const uint4 with = rows.At(row, quad);
      x[quad] = make_uint4(x[quad].x ^ with.x, x[quad].y ^ with.y, x[quad].z ^ with.z,
                           x[quad].w ^ with.w);
    }
    MixBlocks(x, y);
    uint4 *const kept = x;
    x = y;
    y = kept;
  }
}

// The code of the mixed row, the salt of the last step, and its block's number.
__device__ void OfRow(const Hmac &hmac, const uint4 *x, uint code[8]) {
  uint w[16];
#pragma unroll
  for (int i = 0; i < 8; ++i) code[i] = hmac.inner[i];
  for (int block = 0; block < kWords / 16; ++block) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint4 quad = x[4 * block + i];
      w[4 * i] = Swap(quad.x);
      w[4 * i + 1] = Swap(quad.y);
      w[4 * i + 2] = Swap(quad.z);
      w[4 * i + 3] = Swap(quad.w);
    }
    Compress(code, w);
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = 0;
  w[0] = 1;
  w[1] = 0x80000000u;
  w[15] = (64 + 4 * (kWords + 1)) * 8;
  Compress(code, w);
  CompressDigest(hmac.outer, code);
}

template <int stride>
__device__ uint Scrypt(Rows<stride> rows, uint seed) {
  uint random = seed * 2654435761u + 1, password[8], salt[4], code[8];
  uint4 x[kQuads], y[kQuads];
  for (int i = 0; i < 8; ++i) password[i] = Next(random);
  for (int i = 0; i < 4; ++i) salt[i] = Next(random);
  const Hmac hmac(password);
  for (int part = 0; part < kWords / 8; ++part) {
    hmac.OfSalt(salt, part + 1, code);
    x[2 * part] = make_uint4(Swap(code[0]), Swap(code[1]), Swap(code[2]), Swap(code[3]));
    x[2 * part + 1] = make_uint4(Swap(code[4]), Swap(code[5]), Swap(code[6]), Swap(code[7]));
  }
  MixRows(rows, x, y);  // an even number of steps: the result is in x
  OfRow(hmac, x, code);
  uint digest = 2166136261u;
  for (int i = 0; i < 8; ++i) digest = Fold(digest, code[i]);
  return digest;
}

extern "C" __global__ void scrypt_rows(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  digests[lane] = Scrypt(Rows<1>{(uint4 *)scratch + (size_t)lane * kN * kQuads}, lane);
}

extern "C" __global__ void scrypt_interleaved(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint4 *const quads = (uint4 *)scratch + (size_t)(lane / 32) * 32 * kN * kQuads + lane % 32;
  digests[lane] = Scrypt(Rows<32>{quads}, lane);
}
