// What a CUDA programmer would write for guests/lexer.c: one thread per instance, its text in local
// memory, or four letters a word interleaved in global memory.

typedef unsigned int uint;
typedef unsigned char uchar;
enum { kLength = 2048, kTexts = 8, kPattern = 57 };
__device__ const char pattern[kPattern + 1] =
    "while (index < 1024) { total += f(index, 0x7f); } // sum\n";

struct LocalText {
  uchar *bytes;
  __device__ uint At(uint i) const { return bytes[i]; }
  __device__ void Put(uint i, uint four) const { ((uint *)bytes)[i / 4] = four; }
};
struct InterleavedText {
  uint *words;
  __device__ uint At(uint i) const { return words[i / 4 * 32] >> i % 4 * 8 & 255; }
  __device__ void Put(uint i, uint four) const { words[i / 4 * 32] = four; }
};

__device__ inline bool IsLetter(uint c) { return (c | 32) - 'a' < 26; }
__device__ inline bool IsDigit(uint c) { return c - '0' < 10; }

template <typename Text>
__device__ void Write(Text text, uint seed) {
  for (uint i = 0; i < kLength; i += 4) {
    uint four = 0;
#pragma unroll
    for (uint byte = 0; byte < 4; ++byte) {
      seed = seed * 1664525u + 1013904223u;
      four |= (uint)pattern[(i + byte + (seed >> 28)) % kPattern] << 8 * byte;
    }
    text.Put(i, four);
  }
}

template <typename Text>
__device__ uint Cut(Text text, uint digest) {
  uint at = 0;
  while (at < kLength) {
    const uint begin = at, first = text.At(at++);
    uint kind = 3;
    if (IsLetter(first)) {
      kind = 0;
      while (at < kLength && (IsLetter(text.At(at)) || IsDigit(text.At(at)))) ++at;
    } else if (IsDigit(first)) {
      kind = 1;
      while (at < kLength && IsDigit(text.At(at))) ++at;
    } else if (first <= ' ') {
      kind = 2;
      while (at < kLength && text.At(at) <= ' ') ++at;
    } else if (first == '/') {
      while (at < kLength && text.At(at) != '\n') ++at;
    } else if (first == '<' || first == '+') {
      at += at < kLength && text.At(at) == '=';
    }
    digest = digest * 31 + kind * 4096 + (at - begin);
  }
  return digest;
}

template <typename Text>
__device__ uint Lexer(Text text, uint seed) {
  uint digest = seed;
  for (int i = 0; i < kTexts; ++i) {
    Write(text, digest);
    digest = Cut(text, digest);
  }
  return digest;
}

extern "C" __global__ void lexer_local(uint *digests, uint *, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint words[kLength / 4];
  if (lane < lanes) digests[lane] = Lexer(LocalText{(uchar *)words}, lane);
}

extern "C" __global__ void lexer_global(uint *digests, uint *scratch, uint lanes) {
  const uint lane = blockIdx.x * blockDim.x + threadIdx.x;
  uint *words = scratch + (size_t)(lane / 32) * 32 * (kLength / 4) + lane % 32;
  if (lane < lanes) digests[lane] = Lexer(InterleavedText{words}, lane);
}
