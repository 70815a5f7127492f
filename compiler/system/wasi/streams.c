#include "compiler/system/wasi/streams.h"

#include "compiler/system/wasi/config.h"
#include "compiler/system/wasi/layer.h"

// Several short buffers are gathered, since a copy costs less than a primitive's call.
enum { kGathered = 1024 };

// A read fills so many buffers, as Node's does (IOV_MAX). A write takes all.
enum { kMostRead = 1024 };

static uint32_t ReadInput(uint32_t input, uint64_t at, Guest to, uint32_t bytes) {
  uint32_t done = 0;
  while (done < bytes) {
    const uint32_t left = bytes - done;
    const uint32_t asked = left < kMostMoved ? left : kMostMoved;
    const uint32_t got = GuestInputRead(input, at + done, to + done, asked);
    done += got;
    if (got < asked) break;
  }
  return done;
}

static uint32_t ReadOne(const Descriptor* descriptor, uint64_t at, Buffer buffer) {
  if (descriptor->kind == kFile) {
    return ContentRead(&descriptor->node->content, at, buffer.at, buffer.bytes);
  }
  if (TheConfig()->flags & kNoStdin) return 0;
  return ReadInput(descriptor->stream, at, buffer.at, buffer.bytes);
}

static uint32_t FillBuffers(const Descriptor* descriptor, uint64_t at, const Buffers* buffers) {
  uint32_t done = 0;
  for (uint32_t i = 0; i < buffers->count; ++i) {
    const Buffer buffer = BufferOf(buffers, i);
    // Where there was no memory for a copy, what was read may lie over the list.
    if (!GuestHas(buffer.at, buffer.bytes)) break;
    const uint32_t got = ReadOne(descriptor, at + done, buffer);
    done += got;
    if (got < buffer.bytes) break;
  }
  return done;
}

uint32_t ReadBuffers(const Descriptor* descriptor, uint64_t at, const Buffers* all) {
  Buffers buffers = *all;
  if (buffers.count > kMostRead) buffers.count = kMostRead;
  if (buffers.count < 2 || !BuffersLieOverList(&buffers)) {
    return FillBuffers(descriptor, at, &buffers);
  }
  const uint32_t bytes = buffers.count * IOVEC_BYTES;
  Buffer* kept = Allocate(bytes);
  if (kept != NULL) GuestToSystem(kept, buffers.at, bytes);
  buffers.kept = kept;
  const uint32_t done = FillBuffers(descriptor, at, &buffers);
  Release(kept, bytes);
  return done;
}

static void AppendOutput(uint32_t stream, Buffer buffer) {
  while (buffer.bytes > 0) {
    const uint32_t asked = buffer.bytes < kMostMoved ? buffer.bytes : kMostMoved;
    const uint32_t moved = GuestOutputWrite(stream, buffer.at, asked);
    if (moved == 0) return;
    buffer.at += moved;
    buffer.bytes -= moved;
  }
}

static void AppendGathered(uint32_t stream, const Buffers* buffers) {
  uint8_t gathered[kGathered];
  uint32_t length = 0;
  for (uint32_t i = 0; i < buffers->count; ++i) {
    const Buffer buffer = BufferOf(buffers, i);
    GuestToSystem(gathered + length, buffer.at, buffer.bytes);
    length += buffer.bytes;
  }
  OutputWrite(stream, gathered, length);
}

static void AppendAll(uint32_t stream, const Buffers* buffers) {
  uint32_t filled = 0;
  for (uint32_t i = 0; i < buffers->count; ++i) filled += BufferOf(buffers, i).bytes > 0;
  if (filled > 1 && buffers->bytes <= kGathered) {
    AppendGathered(stream, buffers);
    return;
  }
  for (uint32_t i = 0; i < buffers->count; ++i) AppendOutput(stream, BufferOf(buffers, i));
}

static Errno WriteFile(Node* node, uint64_t at, const Buffers* buffers, uint32_t* done) {
  node->is_changed = node->time_is_due = true;
  for (uint32_t i = 0; i < buffers->count; ++i) {
    const Buffer buffer = BufferOf(buffers, i);
    uint32_t written = 0;
    const Errno error = ContentWrite(&node->content, at + *done, buffer.at, buffer.bytes, &written);
    *done += written;
    if (error != E_OK) return *done == 0 ? error : E_OK;
    if (written < buffer.bytes) break;
  }
  return E_OK;
}

Errno WriteBuffers(Descriptor* descriptor, uint64_t at, const Buffers* buffers, uint32_t* done) {
  *done = 0;
  if (descriptor->kind == kFile) return WriteFile(descriptor->node, at, buffers, done);
  AppendAll(descriptor->stream, buffers);
  *done = (uint32_t)buffers->bytes;
  return E_OK;
}
