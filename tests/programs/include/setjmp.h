#pragma once

// WebAssembly of this age has no setjmp. Programs that jump only on errors run without it: an error
// that would have jumped ends the program with exit code 70.
#include <stdlib.h>

typedef int jmp_buf[1];
typedef int sigjmp_buf[1];
#define setjmp(buffer) ((void)(buffer), 0)
#define sigsetjmp(buffer, mask) ((void)(buffer), 0)
static inline _Noreturn void longjmp(jmp_buf buffer, int value) { exit(70); }
static inline _Noreturn void siglongjmp(sigjmp_buf buffer, int value) { exit(70); }
