// System calls. What a static program needs is there; the others give ENOSYS, and signals never
// come.
#include "linux.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static i64 GetFolder(u64 out, u64 bytes) {
  if (bytes < 2) return -34;  // ERANGE
  memcpy(Guest(out, 2), "/", 2);
  return 2;
}

static i64 Access(i64 folder, u64 path) {
  (void)folder;
  struct stat status;
  return stat(Text(path), &status) ? Failed() : 0;
}

static i64 Seek(int file, i64 offset, u32 whence) {
  static const int kWhence[3] = {SEEK_SET, SEEK_CUR, SEEK_END};
  if (whence > 2) return -kEInval;
  const off_t at = lseek(file, offset, kWhence[whence]);
  return at < 0 ? Failed() : at;
}

static i64 End(u64 code) { _exit((int)(code & 255)); }

static i64 Time(u64 clock, u64 out) {
  struct timespec now;
  clock_gettime(clock == 0 || clock == 5 ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now);
  const u64 answer[2] = {(u64)now.tv_sec, (u64)now.tv_nsec};
  memcpy(Guest(out, 16), answer, 16);
  return 0;
}
static i64 TimeOfDay(u64 out) {
  if (out == 0) return 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const u64 answer[2] = {(u64)now.tv_sec, (u64)now.tv_nsec / 1000};
  memcpy(Guest(out, 16), answer, 16);
  return 0;
}

static i64 Cleared(u64 out, u64 bytes) {
  if (out != 0) memset(Guest(out, bytes), 0, bytes);
  return 0;
}

static i64 Name(u64 out) {
  static const char* const kNames[6] = {"Linux", "lane", "6.1.0", "#1", "aarch64", "(none)"};
  char* const names = (char*)Guest(out, sizeof kNames / sizeof kNames[0] * 65);
  memset(names, 0, 6 * 65);
  for (u32 i = 0; i < 6; ++i) memcpy(names + i * 65, kNames[i], strlen(kNames[i]));
  return 0;
}

// sysinfo: only how much memory there is.
static i64 Memory(u64 out) {
  struct {
    u64 unused[4], all, unfilled, unused2[6];
    u32 unit, unused3;
  } answer = {.all = cpu.last + 16, .unfilled = (cpu.last + 16) / 2, .unit = 1};
  memcpy(Guest(out, sizeof answer), &answer, sizeof answer);
  return 0;
}

// Of a file's bytes there is a copy: what is written to a mapping stays there.
static i64 Map(const u64* a) {
  enum { kFixed = 0x10, kAnonymous = 0x20 };
  const u64 bytes = a[1], flags = a[3];
  u64 address = a[0];
  if (bytes == 0) return -kEInval;
  if (flags & kFixed) {
    if (!MapFixed(address, bytes)) return -kENoMem;
  } else {
    address = MapPages(bytes);
    if (address == 0) return -kENoMem;
  }
  if (!(flags & kAnonymous)) {
    const i64 done = Transfer(kReadAt, (i64)a[4], address, bytes, (i64)a[5]);
    if (done < 0) return done;
  }
  return (i64)address;
}

static i64 Remap(u64 address, u64 bytes, u64 wanted, u32 flags) {
  enum { kMayMove = 1, kPageBits = 4095 };
  bytes = (bytes + kPageBits) & ~(u64)kPageBits;
  wanted = (wanted + kPageBits) & ~(u64)kPageBits;
  if (!IsGuest(address, bytes) || wanted == 0) return -kEInval;
  if (wanted <= bytes) {
    UnmapPages(address + wanted, bytes - wanted);
    return (i64)address;
  }
  const u64 moved = flags == kMayMove ? MapPages(wanted) : 0;
  if (moved == 0) return -kENoMem;
  memcpy(Guest(moved, bytes), Guest(address, bytes), bytes);
  UnmapPages(address, bytes);
  return (i64)moved;
}

static i64 Limits(u64 what, u64 out) {
  enum { kStack = 3, kFiles = 7 };
  if (out == 0) return 0;
  const u64 limit = what == kStack ? stack_bytes : what == kFiles ? 1024 : ~0ull;
  const u64 answer[2] = {limit, limit};
  memcpy(Guest(out, 16), answer, 16);
  return 0;
}

static i64 Random(u64 out, u64 bytes) {
  if (bytes == 0) return 0;
  u8* const place = Guest(out, bytes);
  for (u64 at = 0; at < bytes; at += 256) {
    if (getentropy(place + at, bytes - at < 256 ? bytes - at : 256)) return Failed();
  }
  return (i64)bytes;
}

void SystemCall(void) {
  u64* const a = cpu.x;
  i64 result = -kENoSys;
  switch (cpu.x[8]) {
#define CALL(number, value) \
  case number:              \
    result = value;         \
    break;
#include "system_calls.def"
#undef CALL
    default: break;
  }
  cpu.x[0] = (u64)result;
}
