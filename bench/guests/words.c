// Counts lines, words and bytes of standard input, and a checksum over them.
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  static unsigned char buffer[1 << 16];
  long lines = 0, words = 0, bytes = 0;
  int before = ' ';
  uint32_t sum = 2166136261u;
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
    for (size_t i = 0; i < got; ++i) {
      lines += buffer[i] == '\n';
      words += isspace(before) && !isspace(buffer[i]);
      sum = (sum ^ buffer[i]) * 16777619u;
      before = buffer[i];
    }
    bytes += (long)got;
  }
  printf("%ld %ld %ld %08x\n", lines, words, bytes, sum);
  return 0;
}
