#pragma once

// What wasi-libc lacks of POSIX and these programs call for owners, modes and processes: nothing of
// that exists for them. Included in front of their sources by -include.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifndef L_tmpnam
#define L_tmpnam 20
#endif

static inline int chmod(const char* path, mode_t mode) { return 0; }
static inline int fchmod(int file, mode_t mode) { return 0; }
static inline int chown(const char* path, uid_t user, gid_t group) { return 0; }
static inline int fchown(int file, uid_t user, gid_t group) { return 0; }
static inline mode_t umask(mode_t mask) { return 022; }
static inline uid_t getuid(void) { return 0; }
static inline uid_t geteuid(void) { return 0; }
#define system no_system  // declared by wasi-libc, which has none
static inline int system(const char* line) { return errno = ENOSYS, -1; }
static inline FILE* popen(const char* line, const char* mode) { return errno = ENOSYS, (FILE*)0; }
static inline int pclose(FILE* file) { return errno = ENOSYS, -1; }
static inline unsigned alarm(unsigned seconds) { return 0; }
static inline int execvp(const char* name, char* const args[]) { return errno = ENOSYS, -1; }

// Declared by wasi-libc, which has none of them. A temporary file is one without a name.
#define tmpnam no_tmpnam
#define tempnam no_tempnam
#define tmpfile own_tmpfile
static inline char* tmpnam(char* name) { return errno = ENOSYS, (char*)0; }
static inline char* tempnam(const char* folder, const char* prefix) {
  return errno = ENOSYS, (char*)0;
}
static inline FILE* tmpfile(void) {
  FILE* file = fopen("/temporary", "w+b");
  if (file) unlink("/temporary");
  return file;
}
static inline int mkstemp(char* name) {
  static int number = 0;
  snprintf(name + strlen(name) - 6, 7, "%06d", ++number);
  return open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
}
