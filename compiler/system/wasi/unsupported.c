// Calls that an instance cannot be given: links between names, and sockets. They answer what
// wasi-libc passes on as "not supported" or "not a socket".

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/descriptor.h"

I32 wasi_path_link(I32 fd, I32 lookup, I32 path, I32 bytes, I32 to_fd, I32 to_path, I32 to_bytes) {
  Descriptor* descriptor = NULL;
  (void)lookup;
  if (!GuestHas(path, bytes) || !GuestHas(to_path, to_bytes)) return E_FAULT;
  Errno error = FindDescriptor(fd, RIGHT_PATH_LINK_SOURCE, 0, &descriptor);
  if (error == E_OK) error = FindDescriptor(to_fd, RIGHT_PATH_LINK_TARGET, 0, &descriptor);
  return error == E_OK ? E_NOTSUP : error;
}

I32 wasi_path_symlink(I32 target, I32 target_bytes, I32 fd, I32 path, I32 bytes) {
  Descriptor* descriptor = NULL;
  if (!GuestHas(target, target_bytes) || !GuestHas(path, bytes)) return E_FAULT;
  const Errno error = FindDescriptor(fd, RIGHT_PATH_SYMLINK, 0, &descriptor);
  return error == E_OK ? E_NOTSUP : error;
}

static Errno NotASocket(I32 fd, I64 right) {
  Descriptor* descriptor = NULL;
  const Errno error = FindDescriptor(fd, right, 0, &descriptor);
  return error == E_OK ? E_NOTSOCK : error;
}

I32 wasi_sock_accept(I32 fd, I32 flags, I32 out) {
  (void)flags;
  return GuestHas(out, 4) ? NotASocket(fd, RIGHT_SOCK_ACCEPT) : E_FAULT;
}

I32 wasi_sock_recv(I32 fd, I32 iovecs, I32 count, I32 flags, I32 out, I32 out_flags) {
  Buffers buffers;
  (void)flags;
  if (!GuestHas(out, 4) || !GuestHas(out_flags, 2)) return E_FAULT;
  const Errno error = BuffersAt(iovecs, count, &buffers);
  return error == E_OK ? NotASocket(fd, RIGHT_FD_READ) : error;
}

I32 wasi_sock_send(I32 fd, I32 iovecs, I32 count, I32 flags, I32 out) {
  Buffers buffers;
  (void)flags;
  if (!GuestHas(out, 4)) return E_FAULT;
  const Errno error = BuffersAt(iovecs, count, &buffers);
  return error == E_OK ? NotASocket(fd, RIGHT_FD_WRITE) : error;
}

I32 wasi_sock_shutdown(I32 fd, I32 how) {
  (void)how;
  return NotASocket(fd, RIGHT_SOCK_SHUTDOWN);
}
