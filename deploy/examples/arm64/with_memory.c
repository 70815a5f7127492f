// Where the guest's memory is taken from: what the module has from its beginning, or else what it
// grows by. -DARM64_OWN_KIB=N gives it N KiB, so that lanes of a GPU begin with all that they need.
// This file is linked behind units.c, whose ops lie in the first 512 KiB.
#include "linux.h"

#ifndef ARM64_OWN_KIB
#define ARM64_OWN_KIB 0
#endif

enum { kOwnBytes = ARM64_OWN_KIB << 10, kWasmPage = 65536 };

static _Alignas(16) u8 own[kOwnBytes + 16];
static u64 own_taken;

u8* TakeMemory(u64 bytes) {
  bytes = (bytes + 15) & ~15ull;
  if (bytes <= kOwnBytes - own_taken) {
    own_taken += bytes;
    return own + own_taken - bytes;
  }
  const u64 pages = (bytes + kWasmPage - 1) / kWasmPage;
  const size_t before = pages > 65535 ? SIZE_MAX : __builtin_wasm_memory_grow(0, pages);
  if (before == SIZE_MAX) {
    Die("arm64: there is not so much memory; -m asks for less, --memory of the run allows more",
        126);
  }
  return (u8*)(before * kWasmPage);
}
