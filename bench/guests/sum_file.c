// Sums the words of a file of any length, and looks at its last word by itself. A native build says
// the same.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  static uint64_t words[8192];
  const int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
  if (file < 0) return 1;
  uint64_t sum = 0, bytes = 0;
  for (;;) {
    memset(words, 0, sizeof words);
    const ssize_t got = read(file, words, sizeof words);
    if (got < 0) return 2;
    if (got == 0) break;
    for (size_t i = 0; i < (size_t)(got + 7) / 8; ++i) sum = sum * 31 + words[i];
    bytes += (uint64_t)got;
  }
  uint64_t last = 0;
  if (bytes < 8 || lseek(file, (off_t)(bytes - 8), SEEK_SET) < 0 || read(file, &last, 8) != 8)
    return 3;
  printf("%llu %llu %llu\n", (unsigned long long)bytes, (unsigned long long)sum,
         (unsigned long long)last);
  return 0;
}
