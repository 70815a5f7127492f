#pragma once

// The guest's memory, asked before it is touched: no address that the guest passes makes the layer
// trap.

#include "compiler/system/wasi/host.h"

bool GuestHas(Guest at, uint64_t bytes);

// As an iovec lies in memory.
typedef struct {
  Guest at;
  uint32_t bytes;
} Buffer;

typedef struct {
  Guest at;
  uint32_t count;
  uint64_t bytes;      // of all buffers
  const Buffer* kept;  // a copy of the list in the layer's memory; null: none
} Buffers;

// The buffers that an array of iovecs names. E_FAULT: the array or a buffer is not in memory;
// E_INVAL: together they have 4 GiB or more, which no answer can say.
Errno BuffersAt(Guest iovecs, uint32_t count, Buffers* buffers);
// Whether a buffer of the list lies over the list, so that reading into it changes what follows.
bool BuffersLieOverList(const Buffers* buffers);
Buffer BufferOf(const Buffers* buffers, uint32_t index);
