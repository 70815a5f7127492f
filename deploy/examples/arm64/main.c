// Runs a static ARM64 program of Linux in an instance: an emulated core in each lane. What the
// program reads and prints, its arguments and its exit code are those of the instance.
//
//     $ clang --target=wasm32-wasi -O2 -Wl,-s,--initial-memory=524288 -o arm64.wasm arm64/*.c
//     $ aarch64-linux-gnu-gcc -O2 -static -o sorts arm64/guests/sorts.c -lm
//     $ wasmburstctl -q run arm64.wasm -n 100 --file p=sorts --ordered -- -m 2 p {} | tail -n 2
//     least 504438, median 1068462499, mean root 30422.856325, hash c045b276cffb15de
//     least 759198, median 1007356865, mean root 30387.883172, hash 7cb13f07d4bddf4b
//     $ wasmburstctl run arm64.wasm --file p=arm64/main.c -- p; echo "exit code $?"
//     arm64: p: this is no program for ARM64
//     exit code 126
#include "linux.h"

extern char** environ;

static void Use(void) {
  Die("use: arm64 [-m MIB] PROGRAM [ARGUMENT...]; MIB is 1 to 1024, 16 unless given; 64k to 9999k "
      "are KiB",
      2);
}

// Bytes, 0 if the text says none.
static u64 Size(const char* text) {
  u64 number = 0;
  u32 digits = 0;
  for (; *text >= '0' && *text <= '9' && digits < 4; ++text, ++digits)
    number = number * 10 + (u64)(*text - '0');
  if (*text == 'k' && text[1] == 0) return number < 64 ? 0 : number << 10;
  return digits == 0 || *text != 0 || number > 1024 ? 0 : number << 20;
}

int main(int argc, char** argv) {
  u64 bytes = 16 << 20;
  int at = 1;
  if (at + 1 < argc && strcmp(argv[at], "-m") == 0) {
    bytes = Size(argv[at + 1]);
    at += 2;
  }
  if (at >= argc || bytes == 0) Use();
  const Program program = {argv[at], bytes, argc - at, argv + at, environ};
  Interpret(Load(&program));
  return 0;
}
