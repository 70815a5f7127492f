// What a program of Linux sees of its kernel.
#ifndef EXAMPLES_ARM64_LINUX_H_
#define EXAMPLES_ARM64_LINUX_H_

#include "arm64.h"

typedef struct {
  const char* path;
  u64 bytes;  // of the guest's memory
  int argc;
  char** argv;  // argv[0] is the program's name
  char** envp;
} Program;

// Loads a static program, and makes its stack. Returns where it begins; says why and ends if it
// cannot.
u64 Load(const Program* program);
extern const char* program_path;
extern u64 stack_bytes;

// memory.c: zeros, aligned to 16; ends the program if there are none.
u8* TakeMemory(u64 bytes);

// Pages. Addresses and sizes that are not the guest's are refused.
void SetPages(u64 program_end, u64 stack_begin);
u64 MoveBreak(u64 wanted);  // brk: returns where the heap ends now
u64 MapPages(u64 bytes);    // 0: there is no room
int MapFixed(u64 address, u64 bytes);
void UnmapPages(u64 address, u64 bytes);

// files.c: system calls on files; results are Linux's: negative numbers are errors.
i64 Failed(void);  // what errno says
i64 Open(i64 folder, u64 path, u32 flags, u32 mode);
i64 Close(i64 file);
i64 Transfer(u32 number, i64 file, u64 address, u64 bytes, i64 at);
i64 TransferParts(u32 number, i64 file, u64 parts, u64 count);
i64 Status(i64 folder, u64 path, u64 out, u32 flags);
i64 ReadLink(u64 path, u64 out, u64 bytes);
i64 Remove(i64 folder, u64 path, u32 flags);
// A text of the guest, which ends with a zero byte.
const char* Text(u64 address);

// Numbers of errors of Linux.
enum {
  kENoEnt = 2,
  kEBadF = 9,
  kEAgain = 11,
  kENoMem = 12,
  kEFault = 14,
  kEInval = 22,
  kENoTty = 25,
  kENoSys = 38
};

// Numbers of system calls that files.c tells apart.
enum { kRead = 63, kWrite = 64, kReadV = 65, kWriteV = 66, kReadAt = 67, kWriteAt = 68 };

#endif  // EXAMPLES_ARM64_LINUX_H_
