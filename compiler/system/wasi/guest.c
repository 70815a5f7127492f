#include "compiler/system/wasi/guest.h"

enum { kPageBytes = 65536 };

bool GuestHas(Guest at, uint64_t bytes) {
  const uint64_t all = (uint64_t)GuestPages() * kPageBytes;
  return bytes <= all && at <= all - bytes;
}

Buffer BufferOf(const Buffers* buffers, uint32_t index) {
  if (buffers->kept != NULL) return buffers->kept[index];
  const Guest at = buffers->at + index * IOVEC_BYTES;
  const Buffer buffer = {GuestLoad32(at), GuestLoad32(at + 4)};
  return buffer;
}

Errno BuffersAt(Guest iovecs, uint32_t count, Buffers* buffers) {
  if (!GuestHas(iovecs, (uint64_t)count * IOVEC_BYTES)) return E_FAULT;
  buffers->at = iovecs;
  buffers->count = count;
  buffers->bytes = 0;
  buffers->kept = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    const Buffer buffer = BufferOf(buffers, i);
    if (!GuestHas(buffer.at, buffer.bytes)) return E_FAULT;
    buffers->bytes += buffer.bytes;
  }
  return buffers->bytes >> 32 == 0 ? E_OK : E_INVAL;
}

bool BuffersLieOverList(const Buffers* buffers) {
  const uint64_t list = buffers->at, end = list + (uint64_t)buffers->count * IOVEC_BYTES;
  for (uint32_t i = 0; i < buffers->count; ++i) {
    const Buffer buffer = BufferOf(buffers, i);
    if (buffer.at < end && list < (uint64_t)buffer.at + buffer.bytes) return true;
  }
  return false;
}
