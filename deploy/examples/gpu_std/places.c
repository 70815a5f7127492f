// Where each line begins in its file: each instance has a line, and the lines before it in its
// group are summed by an exclusive scan. Then the group says which of its lines is the longest.
//
//     $ clang --target=wasm32-wasi -O2 -Wl,--strip-all -o places.wasm gpu_std/places.c
//     $ printf '%s\n' alpha be gamma delta-delta e >lines.txt
//     $ wasmburstctl -q run places.wasm --each-line --ordered -- {} <lines.txt
//     alpha: byte 0, longest: line 3
//     be: byte 6, longest: line 3
//     gamma: byte 9, longest: line 3
//     delta-delta: byte 15, longest: line 3
//     e: byte 27, longest: line 3
#include <stdio.h>
#include <string.h>

#include "gpu_std.h"

int main(int argc, char** argv) {
  const char* line = argc > 1 ? argv[1] : "";
  const int32_t bytes = (int32_t)strlen(line) + 1;
  const int32_t begins = gpu_exclusive_scan_i32(bytes);
  const int32_t most = gpu_max_s_i32(bytes);
  const int32_t longest = gpu_min_s_i32(bytes == most ? gpu_lane_id() : GPU_GROUP_SIZE);
  printf("%s: byte %d, longest: line %d\n", line, (int)begins, (int)longest);
  return 0;
}
