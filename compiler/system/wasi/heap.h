#pragma once

// The layer's heap. Blocks have a power of two of bytes; the freed ones of a size are a list.

#include "compiler/system/wasi/abi.h"

enum { kHeapSizes = 28 };

typedef struct FreeBlock {
  struct FreeBlock* next;
} FreeBlock;

typedef struct {
  FreeBlock* free[kHeapSizes];  // by the logarithm of their size
  uint8_t *at, *end;            // what no block has been cut from
} Heap;

// Zeros, at a multiple of 16. Null: there is no memory left.
void* Allocate(size_t bytes);
// `bytes`: as it was allocated. Null is let pass.
void Release(void* block, size_t bytes);
