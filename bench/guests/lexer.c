// A text made from the seed, cut into names, numbers, blanks and signs: bytes and branches.
#include <stdint.h>

enum { kLength = 2048 };
static uint8_t text[kLength];
static const char kWords[] = "while (index < 1024) { total += f(index, 0x7f); } // sum\n";

static void Write(uint32_t seed) {
  for (uint32_t i = 0; i < kLength; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text[i] = (uint8_t)kWords[(i + (seed >> 28)) % (sizeof kWords - 1)];
  }
}

static int IsLetter(uint8_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static int IsDigit(uint8_t c) { return c >= '0' && c <= '9'; }

static uint32_t Cut(uint32_t digest) {
  uint32_t at = 0;
  while (at < kLength) {
    const uint32_t begin = at;
    uint32_t kind = 3;
    if (IsLetter(text[at])) {
      kind = 0;
      while (at < kLength && (IsLetter(text[at]) || IsDigit(text[at]))) ++at;
    } else if (IsDigit(text[at])) {
      kind = 1;
      while (at < kLength && IsDigit(text[at])) ++at;
    } else if (text[at] <= ' ') {
      kind = 2;
      while (at < kLength && text[at] <= ' ') ++at;
    } else {
      switch (text[at++]) {
        case '/':
          while (at < kLength && text[at] != '\n') ++at;
          break;
        case '<':
        case '+': at += at < kLength && text[at] == '='; break;
        default: break;
      }
    }
    digest = digest * 31 + kind * 4096 + (at - begin);
  }
  return digest;
}

__attribute__((export_name("run"))) uint32_t Run(uint32_t seed, uint32_t rounds) {
  uint32_t digest = seed;
  for (uint32_t i = 0; i < rounds; ++i) {
    Write(digest);
    digest = Cut(digest);
  }
  return digest;
}
