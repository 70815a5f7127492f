// A program for ARM64 Linux: a row of cells, each of which becomes what the rule's bits say of
// itself and its two neighbours. Its argument is the rule, 0 to 255; a line for each of kRows
// times, '#' and '.'.
#include <stdio.h>
#include <stdlib.h>

enum { kCells = 63, kRows = 32 };

int main(int argc, char** argv) {
  const int rule = argc > 1 ? atoi(argv[1]) : 110;
  char now[kCells] = {0}, next[kCells];
  now[kCells / 2] = 1;
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kCells; ++i) {
      putchar(now[i] ? '#' : '.');
      const int left = i > 0 ? now[i - 1] : 0, right = i + 1 < kCells ? now[i + 1] : 0;
      next[i] = (char)(rule >> (4 * left + 2 * now[i] + right) & 1);
    }
    putchar('\n');
    for (int i = 0; i < kCells; ++i) now[i] = next[i];
  }
  return 0;
}
