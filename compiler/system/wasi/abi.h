#pragma once

// WASI preview 1 in numbers. Source: the WASI specification, snapshot 1 (witx).

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t I32;
typedef uint64_t I64;
typedef uint32_t Errno;

enum {
  E_OK = 0,
  E_BADF = 8,
  E_BUSY = 10,
  E_EXIST = 20,
  E_FAULT = 21,
  E_FBIG = 22,
  E_INVAL = 28,
  E_IO = 29,
  E_ISDIR = 31,
  E_MFILE = 33,
  E_NAMETOOLONG = 37,
  E_NOBUFS = 42,
  E_NOENT = 44,
  E_NOMEM = 48,
  E_NOSPC = 51,
  E_NOSYS = 52,
  E_NOTDIR = 54,
  E_NOTEMPTY = 55,
  E_NOTSOCK = 57,
  E_NOTSUP = 58,
  E_OVERFLOW = 61,
  E_NOTCAPABLE = 76,
};

// Types of files.
enum { TYPE_DIRECTORY = 3, TYPE_REGULAR = 4, TYPE_STREAM = 6 };

// Rights of a descriptor.
#define RIGHT_FD_DATASYNC ((I64)1 << 0)
#define RIGHT_FD_READ ((I64)1 << 1)
#define RIGHT_FD_SEEK ((I64)1 << 2)
#define RIGHT_FD_FDSTAT_SET_FLAGS ((I64)1 << 3)
#define RIGHT_FD_SYNC ((I64)1 << 4)
#define RIGHT_FD_TELL ((I64)1 << 5)
#define RIGHT_FD_WRITE ((I64)1 << 6)
#define RIGHT_FD_ADVISE ((I64)1 << 7)
#define RIGHT_FD_ALLOCATE ((I64)1 << 8)
#define RIGHT_PATH_CREATE_DIRECTORY ((I64)1 << 9)
#define RIGHT_PATH_CREATE_FILE ((I64)1 << 10)
#define RIGHT_PATH_LINK_SOURCE ((I64)1 << 11)
#define RIGHT_PATH_LINK_TARGET ((I64)1 << 12)
#define RIGHT_PATH_OPEN ((I64)1 << 13)
#define RIGHT_FD_READDIR ((I64)1 << 14)
#define RIGHT_PATH_READLINK ((I64)1 << 15)
#define RIGHT_PATH_RENAME_SOURCE ((I64)1 << 16)
#define RIGHT_PATH_RENAME_TARGET ((I64)1 << 17)
#define RIGHT_PATH_FILESTAT_GET ((I64)1 << 18)
#define RIGHT_PATH_FILESTAT_SET_SIZE ((I64)1 << 19)
#define RIGHT_PATH_FILESTAT_SET_TIMES ((I64)1 << 20)
#define RIGHT_FD_FILESTAT_GET ((I64)1 << 21)
#define RIGHT_FD_FILESTAT_SET_SIZE ((I64)1 << 22)
#define RIGHT_FD_FILESTAT_SET_TIMES ((I64)1 << 23)
#define RIGHT_PATH_SYMLINK ((I64)1 << 24)
#define RIGHT_PATH_REMOVE_DIRECTORY ((I64)1 << 25)
#define RIGHT_PATH_UNLINK_FILE ((I64)1 << 26)
#define RIGHT_POLL_FD_READWRITE ((I64)1 << 27)
#define RIGHT_SOCK_SHUTDOWN ((I64)1 << 28)
#define RIGHT_SOCK_ACCEPT ((I64)1 << 29)

enum { FDFLAG_APPEND = 1, FDFLAG_DSYNC = 2, FDFLAG_RSYNC = 8, FDFLAG_SYNC = 16, FDFLAGS = 31 };
enum { OPEN_CREATE = 1, OPEN_DIRECTORY = 2, OPEN_EXCLUSIVE = 4, OPEN_TRUNCATE = 8 };
enum { SEEK_FROM_START = 0, SEEK_FROM_HERE = 1, SEEK_FROM_END = 2 };
enum { UNSTABLE_FROM_HERE = 0, UNSTABLE_FROM_END = 1, UNSTABLE_FROM_START = 2 };  // snapshot 0
enum { TIME_ATIM = 1, TIME_ATIM_NOW = 2, TIME_MTIM = 4, TIME_MTIM_NOW = 8, TIME_FLAGS = 15 };
enum { CLOCK_REALTIME_ID = 0, CLOCK_COUNT = 4 };
enum { EVENT_CLOCK = 0, EVENT_FD_READ = 1, EVENT_FD_WRITE = 2, CLOCK_ABSOLUTE = 1 };

// Sizes of records in the guest's memory.
enum {
  IOVEC_BYTES = 8,
  FDSTAT_BYTES = 24,
  FILESTAT_BYTES = 64,
  PRESTAT_BYTES = 8,
  DIRENT_BYTES = 24,
  SUBSCRIPTION_BYTES = 48,
  EVENT_BYTES = 32,
  UNSTABLE_FILESTAT_BYTES = 56,
  UNSTABLE_SUBSCRIPTION_BYTES = 56,
};
