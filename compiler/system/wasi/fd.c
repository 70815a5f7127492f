// Calls about one descriptor: its state, its rights, its file's size and times.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"
#include "compiler/system/wasi/stat.h"

enum { kMostAdvice = 5 };

// Checks the right only: the call has nothing to do here.
static Errno Allowed(I32 fd, I64 right) {
  Descriptor* descriptor = NULL;
  return FindDescriptor(fd, right, 0, &descriptor);
}

I32 wasi_fd_sync(I32 fd) { return Allowed(fd, RIGHT_FD_SYNC); }
I32 wasi_fd_datasync(I32 fd) { return Allowed(fd, RIGHT_FD_DATASYNC); }

I32 wasi_fd_advise(I32 fd, I64 offset, I64 bytes, I32 advice) {
  (void)offset;
  (void)bytes;
  return advice > kMostAdvice ? E_INVAL : Allowed(fd, RIGHT_FD_ADVISE);
}

I32 wasi_fd_allocate(I32 fd, I64 offset, I64 bytes) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, RIGHT_FD_ALLOCATE, 0, &descriptor);
  if (error != E_OK) return error;
  if (bytes == 0 || offset > INT64_MAX || bytes > INT64_MAX) return E_INVAL;
  Content* content = &descriptor->node->content;
  if (offset + bytes <= content->size) return E_OK;
  descriptor->node->is_changed = descriptor->node->time_is_due = true;
  return ContentResize(content, offset + bytes);
}

I32 wasi_fd_close(I32 fd) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, 0, 0, &descriptor);
  if (error == E_OK) CloseDescriptor(descriptor);
  return error;
}

I32 wasi_fd_renumber(I32 from, I32 to) {
  Descriptor *source = NULL, *target = NULL;
  Errno error = FindDescriptor(from, 0, 0, &source);
  if (error == E_OK) error = FindDescriptor(to, 0, 0, &target);
  if (error != E_OK || from == to) return error;
  CloseDescriptor(target);
  *target = *source;
  const Descriptor none = {0};
  *source = none;
  return E_OK;
}

I32 wasi_fd_fdstat_get(I32 fd, I32 out) {
  Descriptor* descriptor = NULL;
  if (!GuestHas(out, FDSTAT_BYTES)) return E_FAULT;
  const Errno error = FindDescriptor(fd, 0, 0, &descriptor);
  if (error != E_OK) return error;
  GuestStore64(out, TypeOf(descriptor));  // the type, and what lies between the fields
  GuestStore16(out + 2, descriptor->flags);
  GuestStore64(out + 8, descriptor->base);
  GuestStore64(out + 16, descriptor->inheriting);
  return E_OK;
}

I32 wasi_fd_fdstat_set_flags(I32 fd, I32 flags) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, RIGHT_FD_FDSTAT_SET_FLAGS, 0, &descriptor);
  if (error != E_OK) return error;
  if (flags > FDFLAGS) return E_INVAL;
  descriptor->flags = (uint16_t)flags;
  return E_OK;
}

I32 wasi_fd_fdstat_set_rights(I32 fd, I64 base, I64 inheriting) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, base, inheriting, &descriptor);
  if (error != E_OK) return error;
  descriptor->base = base;
  descriptor->inheriting = inheriting;
  return E_OK;
}

// The node of what has one: a file, or a directory, which may have to be opened first.
static Errno NodeOf(Descriptor* descriptor, Node** node) {
  *node = descriptor->node;
  return descriptor->kind == kDirectory ? DirectoryOf(descriptor, node) : E_OK;
}

Errno DescriptorStat(I32 fd, Guest out, const StatFormat* format) {
  Descriptor* descriptor = NULL;
  Node* node = NULL;
  if (!GuestHas(out, format->bytes)) return E_FAULT;
  Errno error = FindDescriptor(fd, RIGHT_FD_FILESTAT_GET, 0, &descriptor);
  if (error == E_OK) error = NodeOf(descriptor, &node);
  if (error == E_OK) StoreStat(out, format, TypeOf(descriptor), node);
  return error;
}

I32 wasi_fd_filestat_get(I32 fd, I32 out) { return DescriptorStat(fd, out, &kStat); }
I32 wasi_unstable_fd_filestat_get(I32 fd, I32 out) {
  return DescriptorStat(fd, out, &kUnstableStat);
}

I32 wasi_fd_filestat_set_size(I32 fd, I64 bytes) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, RIGHT_FD_FILESTAT_SET_SIZE, 0, &descriptor);
  if (error != E_OK) return error;
  if (bytes > INT64_MAX) return E_INVAL;
  descriptor->node->is_changed = descriptor->node->time_is_due = true;
  return ContentResize(&descriptor->node->content, bytes);
}

I32 wasi_fd_filestat_set_times(I32 fd, I64 accessed, I64 modified, I32 flags) {
  Descriptor* descriptor = NULL;
  Node* node = NULL;
  Errno error = FindDescriptor(fd, RIGHT_FD_FILESTAT_SET_TIMES, 0, &descriptor);
  if (error == E_OK) error = NodeOf(descriptor, &node);
  return error == E_OK ? SetTimes(node, accessed, modified, flags) : error;
}
