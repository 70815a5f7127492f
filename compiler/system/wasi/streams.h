#pragma once

// Bytes between a descriptor and the guest's memory, without a copy in the layer's.

#include "compiler/system/wasi/descriptor.h"

// From `at` in the file or the input, to the buffers as they are named before the first byte moves.
// How many bytes: fewer than asked for at its end, and where there are more than 1,024 buffers.
uint32_t ReadBuffers(const Descriptor* descriptor, uint64_t at, const Buffers* buffers);
// `done` says how many. E_NOSPC, E_FBIG: none at all.
Errno WriteBuffers(Descriptor* descriptor, uint64_t at, const Buffers* buffers, uint32_t* done);
