// What a CUDA programmer would write for guests/bcrypt.c: one thread per instance, its tables of 4 KiB
// in local memory, interleaved in global memory, or in shared memory, where a processor has room for
// those of a few threads at a time.

typedef unsigned int uint;
enum { kCost = 4, kLetters = 20, kKeys = 18, kTableWords = 1024, kBlock = 8 };
__device__ const uint pi[kKeys + kTableWords] = {
#include "pi_words.inc"
};

// One thread's tables: every `stride`th word.
template <int stride>
struct Blowfish {
  uint *tables;
  uint keys[kKeys];

  __device__ uint Mix(uint x) const {
    return ((tables[(x >> 24) * stride] + tables[(256 + (x >> 16 & 255)) * stride]) ^
            tables[(512 + (x >> 8 & 255)) * stride]) +
           tables[(768 + (x & 255)) * stride];
  }
  __device__ void Encrypt(uint &left, uint &right) const {
    uint l = left, r = right;
#pragma unroll
    for (int i = 0; i < 16; i += 2) {
      l ^= keys[i];
      r ^= Mix(l) ^ keys[i + 1];
      l ^= Mix(r);
    }
    left = r ^ keys[17];
    right = l ^ keys[16];
  }
  __device__ void Expand(const uint key[kKeys], const uint salt[4]) {
    uint left = 0, right = 0;
#pragma unroll
    for (int i = 0; i < kKeys; ++i) keys[i] ^= key[i];
#pragma unroll
    for (int i = 0; i < kKeys; i += 2) {
      left ^= salt[i % 4];
      right ^= salt[i % 4 + 1];
      Encrypt(left, right);
      keys[i] = left;
      keys[i + 1] = right;
    }
    for (int i = 0; i < kTableWords; i += 4) {  // the salt's place goes on: 18 is 2 beyond a round
      Step(i, salt[2], salt[3], left, right);
      Step(i + 2, salt[0], salt[1], left, right);
    }
  }

 private:
  __device__ void Step(int at, uint salt_left, uint salt_right, uint &left, uint &right) {
    left ^= salt_left;
    right ^= salt_right;
    Encrypt(left, right);
    tables[at * stride] = left;
    tables[(at + 1) * stride] = right;
  }
};

// The password of this seed, over and over, as words.
__device__ void Password(uint &random, uint words[kKeys]) {
  uint letters[kLetters + 1];
#pragma unroll
  for (int i = 0; i < kLetters; ++i) {
    random = random * 1664525u + 1013904223u;
    letters[i] = 'a' + (random >> 16) % 26;
  }
  letters[kLetters] = 0;
#pragma unroll
  for (int i = 0; i < kKeys; ++i) {
    words[i] = 0;
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) {
      words[i] = words[i] << 8 | letters[(4 * i + byte) % (kLetters + 1)];
    }
  }
}

template <int stride>
__device__ uint Bcrypt(uint *tables, uint seed) {
  uint random = seed * 2654435761u + 1, salt[4], salt_key[kKeys], key[kKeys];
  const uint no_salt[4] = {0, 0, 0, 0};
  Password(random, key);
  for (int i = 0; i < 4; ++i) salt[i] = random = random * 1664525u + 1013904223u;
#pragma unroll
  for (int i = 0; i < kKeys; ++i) salt_key[i] = salt[i % 4];
  Blowfish<stride> cipher{tables};
#pragma unroll
  for (int i = 0; i < kKeys; ++i) cipher.keys[i] = pi[i];
  for (int i = 0; i < kTableWords; ++i) tables[i * stride] = pi[kKeys + i];
  cipher.Expand(key, salt);
  for (int round = 0; round < 1 << kCost; ++round) {
    cipher.Expand(key, no_salt);
    cipher.Expand(salt_key, no_salt);
  }
  uint text[6] = {0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274};
  uint digest = 2166136261u;
#pragma unroll
  for (int i = 0; i < 6; i += 2) {
    for (int round = 0; round < 64; ++round) cipher.Encrypt(text[i], text[i + 1]);
    digest = (digest ^ text[i]) * 16777619u;
    digest = (digest ^ text[i + 1]) * 16777619u;
  }
  return digest;
}

extern "C" __global__ void bcrypt_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint tables[kTableWords];
  if (lane < lanes) digests[lane] = Bcrypt<1>(tables, lane);
}

extern "C" __global__ void bcrypt_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint *tables = scratch + (size_t)(lane / 32) * 32 * kTableWords + lane % 32;
  if (lane < lanes) digests[lane] = Bcrypt<32>(tables, lane);
}

// In blocks of kBlock threads.
extern "C" __global__ void bcrypt_shared(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ uint tables[kTableWords * kBlock];
  if (lane < lanes) digests[lane] = Bcrypt<kBlock>(tables + threadIdx.x, lane);
}
