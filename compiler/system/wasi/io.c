// Reading, writing, and where that is done.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/streams.h"

static const uint64_t kMostOffset = INT64_MAX;

// The buffers, and the word where the answer goes.
static Errno Prepare(Guest iovecs, I32 count, Guest out, Buffers* buffers) {
  return GuestHas(out, 4) ? BuffersAt(iovecs, count, buffers) : E_FAULT;
}

static Errno WriteAt(Descriptor* descriptor, uint64_t at, const Buffers* buffers, Guest out,
                     uint32_t* done) {
  if (descriptor->kind == kFile && (descriptor->flags & FDFLAG_APPEND)) {
    at = descriptor->node->content.size;
  }
  const Errno error = WriteBuffers(descriptor, at, buffers, done);
  if (error == E_OK) GuestStore32(out, *done);
  return error;
}

I32 wasi_fd_read(I32 fd, I32 iovecs, I32 count, I32 out) {
  Buffers buffers;
  Descriptor* descriptor = NULL;
  Errno error = Prepare(iovecs, count, out, &buffers);
  if (error == E_OK) error = FindDescriptor(fd, RIGHT_FD_READ, 0, &descriptor);
  if (error != E_OK) return error;
  const uint32_t done = ReadBuffers(descriptor, descriptor->offset, &buffers);
  descriptor->offset += done;
  GuestStore32(out, done);
  return E_OK;
}

I32 wasi_fd_pread(I32 fd, I32 iovecs, I32 count, I64 at, I32 out) {
  Buffers buffers;
  Descriptor* descriptor = NULL;
  Errno error = Prepare(iovecs, count, out, &buffers);
  if (error == E_OK) error = FindDescriptor(fd, RIGHT_FD_READ | RIGHT_FD_SEEK, 0, &descriptor);
  if (error != E_OK) return error;
  if (at > kMostOffset) return E_INVAL;
  GuestStore32(out, ReadBuffers(descriptor, at, &buffers));
  return E_OK;
}

I32 wasi_fd_write(I32 fd, I32 iovecs, I32 count, I32 out) {
  Buffers buffers;
  Descriptor* descriptor = NULL;
  Errno error = Prepare(iovecs, count, out, &buffers);
  if (error == E_OK) error = FindDescriptor(fd, RIGHT_FD_WRITE, 0, &descriptor);
  if (error != E_OK) return error;
  uint32_t done = 0;
  error = WriteAt(descriptor, descriptor->offset, &buffers, out, &done);
  if (error != E_OK || descriptor->kind != kFile) return error;
  const bool appends = (descriptor->flags & FDFLAG_APPEND) != 0;
  descriptor->offset = appends ? descriptor->node->content.size : descriptor->offset + done;
  return E_OK;
}

I32 wasi_fd_pwrite(I32 fd, I32 iovecs, I32 count, I64 at, I32 out) {
  Buffers buffers;
  Descriptor* descriptor = NULL;
  Errno error = Prepare(iovecs, count, out, &buffers);
  if (error == E_OK) error = FindDescriptor(fd, RIGHT_FD_WRITE | RIGHT_FD_SEEK, 0, &descriptor);
  if (error != E_OK) return error;
  if (at > kMostOffset) return E_INVAL;
  uint32_t done = 0;
  return WriteAt(descriptor, at, &buffers, out, &done);
}

// What the offset is counted from. A directory has no bytes.
static uint64_t SeekBase(const Descriptor* descriptor, I32 whence) {
  if (whence == SEEK_FROM_HERE) return descriptor->offset;
  if (whence != SEEK_FROM_END || descriptor->kind != kFile) return 0;
  return descriptor->node->content.size;
}

I32 wasi_fd_seek(I32 fd, I64 offset, I32 whence, I32 out) {
  const bool only_asks = offset == 0 && whence == SEEK_FROM_HERE;
  Descriptor* descriptor = NULL;
  if (!GuestHas(out, 8)) return E_FAULT;
  const Errno error = FindDescriptor(fd, only_asks ? RIGHT_FD_TELL : RIGHT_FD_SEEK, 0, &descriptor);
  if (error != E_OK) return error;
  if (whence > SEEK_FROM_END) return E_INVAL;
  const uint64_t base = SeekBase(descriptor, whence);  // at most 2^63 - 1
  const uint64_t to = base + offset;
  const bool below = (int64_t)offset < 0 && -offset > base;
  if (below || to > kMostOffset) return E_INVAL;
  descriptor->offset = to;
  GuestStore64(out, to);
  return E_OK;
}

I32 wasi_unstable_fd_seek(I32 fd, I64 offset, I32 whence, I32 out) {
  switch (whence) {
    case UNSTABLE_FROM_HERE: return wasi_fd_seek(fd, offset, SEEK_FROM_HERE, out);
    case UNSTABLE_FROM_END: return wasi_fd_seek(fd, offset, SEEK_FROM_END, out);
    case UNSTABLE_FROM_START: return wasi_fd_seek(fd, offset, SEEK_FROM_START, out);
    default: return wasi_fd_seek(fd, offset, whence, out);  // refuses it
  }
}

I32 wasi_fd_tell(I32 fd, I32 out) {
  Descriptor* descriptor = NULL;
  if (!GuestHas(out, 8)) return E_FAULT;
  const Errno error = FindDescriptor(fd, RIGHT_FD_TELL, 0, &descriptor);
  if (error != E_OK) return error;
  GuestStore64(out, descriptor->offset);
  return E_OK;
}
