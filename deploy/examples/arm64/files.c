// System calls on files, by those of WASI. Descriptors are WASI's; paths begin at the root.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux.h"

enum { kHere = -100, kEmptyPath = 0x1000, kMostPath = 1024, kRemovesFolder = 0x200 };
// The descriptor of /dev/null, which WASI has not.
enum { kNull = 1000 };

i64 Failed(void) {
  static const struct {
    u8 wasi, linux_number;
  } kErrors[] = {{EACCES, 13}, {EBADF, 9},   {EEXIST, 17},    {EINVAL, 22},
                 {EISDIR, 21}, {ENOENT, 2},  {ENOSPC, 28},    {ENOTDIR, 20},
                 {EPERM, 1},   {ESPIPE, 29}, {ENOTEMPTY, 39}, {ENOMEM, 12}};
  for (u32 i = 0; i < sizeof kErrors / sizeof kErrors[0]; ++i) {
    if (kErrors[i].wasi == errno) return -(i64)kErrors[i].linux_number;
  }
  return -5;  // EIO
}

const char* Text(u64 address) {
  const char* text = (const char*)Guest(address, 1);
  const u64 room = cpu.last + 16 - (address - cpu.low);
  if (memchr(text, 0, room) == NULL) Fault(address + room, slow_pc);
  return text;
}

// A path from the root on; the working folder is the root.
static const char* Rooted(i64 folder, const char* path) {
  static char rooted[kMostPath];
  const size_t length = strlen(path);
  if ((i32)folder != kHere || path[0] == '/' || length + 2 > sizeof rooted) return path;
  rooted[0] = '/';
  memcpy(rooted + 1, path, length + 1);
  return rooted;
}

i64 Open(i64 folder, u64 path, u32 flags, u32 mode) {
  static const int kAccess[4] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR};
  int how = kAccess[flags & 3];
  if (flags & 0100) how |= O_CREAT;
  if (flags & 0200) how |= O_EXCL;
  if (flags & 01000) how |= O_TRUNC;
  if (flags & 02000) how |= O_APPEND;
  if (flags & 040000) how |= O_DIRECTORY;
  const char* text = Rooted(folder, Text(path));
  if (strcmp(text, "/dev/null") == 0) return kNull;
  const int file = text[0] == '/' ? open(text, how, mode) : openat((int)folder, text, how, mode);
  return file < 0 ? Failed() : file;
}

i64 Close(i64 file) { return file == kNull || !close((int)file) ? 0 : Failed(); }

i64 Transfer(u32 number, i64 file, u64 address, u64 bytes, i64 at) {
  if (bytes == 0) return 0;
  if (!IsGuest(address, bytes)) return -kEFault;
  if (file == kNull) return number == kRead || number == kReadAt ? 0 : (i64)bytes;
  void* const place = Guest(address, bytes);
  ssize_t done;
  switch (number) {
    case kRead: done = read((int)file, place, bytes); break;
    case kWrite: done = write((int)file, place, bytes); break;
    case kReadAt: done = pread((int)file, place, bytes, at); break;
    default: done = pwrite((int)file, place, bytes, at); break;
  }
  return done < 0 ? Failed() : done;
}

i64 TransferParts(u32 number, i64 file, u64 parts, u64 count) {
  i64 sum = 0;
  for (u64 i = 0; i < count; ++i) {
    u64 part[2];
    memcpy(part, Guest(parts + i * 16, 16), 16);
    if (part[1] == 0) continue;
    const i64 done = Transfer(number == kReadV ? kRead : kWrite, file, part[0], part[1], 0);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
    if ((u64)done < part[1]) break;
  }
  return sum;
}

static u32 ModeOf(const struct stat* status) {
  if (S_ISDIR(status->st_mode)) return 0040755;
  if (S_ISREG(status->st_mode)) return 0100644;
  return 0010600;  // a pipe: what is no file is not a terminal either
}

// What there is to say of a file: of a path, or of a descriptor where the path is empty.
static int Find(i64 folder, const char* path, u32 flags, struct stat* status) {
  if (path[0] == 0 && (flags & kEmptyPath)) return fstat((int)folder, status);
  const char* from_root = Rooted(folder, path);
  return from_root[0] == '/' ? stat(from_root, status) : fstatat((int)folder, path, status, 0);
}

i64 Status(i64 folder, u64 path, u64 out, u32 flags) {
  struct stat status = {.st_size = 0};
  const char* text = path == 0 ? "" : Text(path);
  const int is_null = strcmp(text, "/dev/null") == 0 || (text[0] == 0 && folder == kNull);
  if (!is_null && Find(folder, text, flags, &status)) return Failed();
  struct {
    u64 device, number;
    u32 mode, links, user, group;
    u64 special, unused;
    i64 size;
    u32 block, unused2;
    i64 blocks, times[6], unused3;
  } answer = {.number = status.st_ino,
              .mode = is_null ? 0020666 : ModeOf(&status),
              .links = 1,
              .size = status.st_size,
              .block = 4096,
              .blocks = (status.st_size + 511) / 512};
  memcpy(Guest(out, sizeof answer), &answer, sizeof answer);
  return 0;
}

i64 ReadLink(u64 path, u64 out, u64 bytes) {
  if (strcmp(Text(path), "/proc/self/exe") != 0) return -kEInval;
  const char* from_root = Rooted(kHere, program_path);
  const u64 length = strlen(from_root), taken = length < bytes ? length : bytes;
  memcpy(Guest(out, taken), from_root, taken);
  return (i64)taken;
}

i64 Remove(i64 folder, u64 path, u32 flags) {
  const char* text = Rooted(folder, Text(path));
  return (flags & kRemovesFolder ? rmdir(text) : unlink(text)) ? Failed() : 0;
}
