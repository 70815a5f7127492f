// An LZ77 compressor with hash chains and its decompressor; what comes out must be what went in.
#include "guest.h"

enum { kSize = 3000, kHashes = 1024, kWindow = 2048, kLongest = 66, kShortest = 3 };
static uint8_t plain[kSize], packed[kSize + kSize / 8 + 16], unpacked[kSize];
static int32_t head[kHashes], chain[kSize];

// Words of a small vocabulary, some noise, some runs.
static void make_text(void) {
  static const char* const words[] = {"burst ", "lane ", "the ", "of fuel ", "trap ", "wasm", "\n"};
  for (uint32_t i = 0; i < kSize;) {
    uint32_t choice = next_random() % 10;
    if (choice < 7) {
      for (const char* w = words[choice]; *w != 0 && i < kSize; ++w) plain[i++] = (uint8_t)*w;
    } else if (choice < 9) {
      plain[i++] = (uint8_t)next_random();
    } else {
      uint8_t byte = (uint8_t)next_random();
      for (uint32_t n = next_random() % 90; n > 0 && i < kSize; --n) plain[i++] = byte;
    }
  }
}

static uint32_t hash(const uint8_t* p) {
  return ((uint32_t)(p[0] << 16 | p[1] << 8 | p[2]) * 2654435761u) >> 22;
}

static uint32_t match_length(uint32_t a, uint32_t b) {
  uint32_t length = 0;
  while (length < kLongest && b + length < kSize && plain[a + length] == plain[b + length]) {
    ++length;
  }
  return length;
}

static uint32_t find_match(uint32_t at, uint32_t* distance) {
  uint32_t longest = 0;
  int32_t candidate = head[hash(plain + at)];
  for (int tries = 0; tries < 16 && candidate >= 0; ++tries, candidate = chain[candidate]) {
    if (at - (uint32_t)candidate > kWindow) break;
    uint32_t length = match_length((uint32_t)candidate, at);
    if (length <= longest) continue;
    longest = length;
    *distance = at - (uint32_t)candidate;
  }
  return longest;
}

static void remember(uint32_t at) {
  if (at + kShortest > kSize) return;
  uint32_t h = hash(plain + at);
  chain[at] = head[h];
  head[h] = (int32_t)at;
}

// A byte of eight flags, then eight items: a literal, or distance and length in 17 bits as 3 bytes.
static uint32_t compress(void) {
  uint32_t size = 0, flags_at = 0, items = 8;
  memset(head, 0xff, sizeof(head));
  for (uint32_t at = 0; at < kSize;) {
    if (items == 8) {
      flags_at = size;
      packed[size++] = 0;
      items = 0;
    }
    uint32_t distance = 0;
    uint32_t length = at + kShortest <= kSize ? find_match(at, &distance) : 0;
    if (length >= kShortest) {
      packed[flags_at] |= (uint8_t)(1u << items);
      packed[size++] = (uint8_t)distance;
      packed[size++] = (uint8_t)(distance >> 8);
      packed[size++] = (uint8_t)(length - kShortest);
    } else {
      length = 1;
      packed[size++] = plain[at];
    }
    for (++items; length > 0; --length) remember(at++);
  }
  return size;
}

static uint32_t decompress(uint32_t size) {
  uint32_t from = 0, to = 0;
  while (from < size) {
    uint32_t flags = packed[from++];
    for (int i = 0; i < 8 && from < size; ++i, flags >>= 1) {
      if ((flags & 1) == 0) {
        unpacked[to++] = packed[from++];
        continue;
      }
      uint32_t distance = packed[from] | (uint32_t)packed[from + 1] << 8;
      uint32_t length = packed[from + 2] + kShortest;
      from += 3;
      for (; length > 0; --length, ++to) unpacked[to] = unpacked[to - distance];
    }
  }
  return to;
}

EXPORT(run) uint32_t run(uint32_t seed) {
  seed_random(seed);
  make_text();
  uint32_t size = compress();
  if (decompress(size) != kSize || memcmp(plain, unpacked, kSize) != 0) __builtin_trap();
  out_u32(size);
  for (uint32_t i = 0; i < size; ++i) out_byte(packed[i]);
  return guest_output_size;
}
