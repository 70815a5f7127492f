// Arguments and environment: inputs of the job that go straight to the guest's memory.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"

typedef struct {
  uint32_t first, count;  // numbers of inputs
} Strings;

static Strings Arguments(void) {
  const Strings strings = {kInputFirstArgument, TheConfig()->args};
  return strings;
}

static Strings Environment(void) {
  const Strings strings = {InputOfEnvironment(), TheConfig()->envs};
  return strings;
}

// How many there are, and how many bytes with their closing zeros.
static Errno Sizes(Strings strings, Guest count, Guest bytes) {
  if (!GuestHas(count, 4) || !GuestHas(bytes, 4)) return E_FAULT;
  uint64_t all = 0;
  for (uint32_t i = 0; i < strings.count; ++i) {
    const int64_t size = InputSize(strings.first + i);
    all += (size < 0 ? 0 : (uint64_t)size) + 1;
  }
  if (all >> 32 != 0) return E_OVERFLOW;
  GuestStore32(count, strings.count);
  GuestStore32(bytes, (uint32_t)all);
  return E_OK;
}

// One string and its zero; `to` moves behind it.
static Errno CopyString(uint32_t input, Guest* to) {
  const uint64_t end = (uint64_t)GuestPages() * 65536;
  for (uint64_t offset = 0;;) {
    if (*to >= end) return E_FAULT;
    const uint64_t room = end - *to;
    const uint32_t asked = room < kMostMoved ? (uint32_t)room : kMostMoved;
    const uint32_t got = GuestInputRead(input, offset, *to, asked);
    offset += got;
    *to += got;
    if (got < asked) break;
  }
  GuestStore8((*to)++, 0);
  return E_OK;
}

static Errno Copy(Strings strings, Guest pointers, Guest to) {
  if (!GuestHas(pointers, (uint64_t)strings.count * 4)) return E_FAULT;
  for (uint32_t i = 0; i < strings.count; ++i) {
    GuestStore32(pointers + 4 * i, to);
    const Errno error = CopyString(strings.first + i, &to);
    if (error != E_OK) return error;
  }
  return E_OK;
}

I32 wasi_args_sizes_get(I32 count, I32 bytes) { return Sizes(Arguments(), count, bytes); }
I32 wasi_args_get(I32 pointers, I32 to) { return Copy(Arguments(), pointers, to); }
I32 wasi_environ_sizes_get(I32 count, I32 bytes) { return Sizes(Environment(), count, bytes); }
I32 wasi_environ_get(I32 pointers, I32 to) { return Copy(Environment(), pointers, to); }
