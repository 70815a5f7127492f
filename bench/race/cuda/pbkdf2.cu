// What a CUDA programmer would write for guests/pbkdf2.c: one thread per instance, everything in
// registers, two compressions a round.

#include "sha256.inc"

enum { kRounds = 20000 };

extern "C" __global__ void pbkdf2_registers(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane >= lanes) return;
  uint random = lane * 2654435761u + 1, password[8], salt[4], code[8], key[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) password[i] = Next(random);
#pragma unroll
  for (int i = 0; i < 4; ++i) salt[i] = Next(random);
  const Hmac hmac(password);
  hmac.OfSalt(salt, 1, code);
#pragma unroll
  for (int i = 0; i < 8; ++i) key[i] = code[i];
  for (int round = 1; round < kRounds; ++round) {
    CompressDigest(hmac.inner, code);
    CompressDigest(hmac.outer, code);
#pragma unroll
    for (int i = 0; i < 8; ++i) key[i] ^= code[i];
  }
  uint digest = 2166136261u;
#pragma unroll
  for (int i = 0; i < 8; ++i) digest = Fold(digest, key[i]);
  digests[lane] = digest;
}
