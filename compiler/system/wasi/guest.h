#pragma once

// The guest's memory, asked before it is touched: no address that the guest passes makes the layer
// trap.

#include "compiler/system/wasi/host.h"

bool GuestHas(Guest at, uint64_t bytes);

typedef struct {
  Guest at;
  uint32_t count;
  uint64_t bytes;  // of all buffers
} Buffers;

typedef struct {
  Guest at;
  uint32_t bytes;
} Buffer;

// The buffers that an array of iovecs names. E_FAULT: the array or a buffer is not in memory;
// E_INVAL: together they have 4 GiB or more, which no answer can say.
Errno BuffersAt(Guest iovecs, uint32_t count, Buffers* buffers);
Buffer BufferOf(const Buffers* buffers, uint32_t index);
