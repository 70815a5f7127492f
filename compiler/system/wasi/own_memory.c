// MoreMemory in WebAssembly: what is left behind the data and the stack, then pages.

#include "compiler/system/wasi/host.h"

enum { kPageBytes = 65536 };

extern uint8_t __heap_base;  // by the linker

static bool first_was_given;

static uint8_t* RestOfTheFirst(size_t* given) {
  const size_t start = ((size_t)&__heap_base + 15) & ~(size_t)15;
  *given = __builtin_wasm_memory_size(0) * kPageBytes - start;
  return (uint8_t*)start;
}

uint8_t* MoreMemory(size_t bytes, size_t* given) {
  if (!first_was_given) {
    first_was_given = true;
    uint8_t* rest = RestOfTheFirst(given);
    if (*given >= bytes) return rest;
  }
  const size_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  const size_t before = __builtin_wasm_memory_grow(0, pages);
  if (before == (size_t)-1) return NULL;
  *given = pages * kPageBytes;
  return (uint8_t*)(before * kPageBytes);
}
