// An ARM64 (A64) machine of one core in C, compiled to WebAssembly; a Linux program runs on it.
// Addresses of the guest are 64 bits wide; what it has of memory is one range below 4 GiB.
#ifndef EXAMPLES_ARM64_ARM64_H_
#define EXAMPLES_ARM64_ARM64_H_

#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

typedef union {
  u64 d[2];
  u32 s[4];
  u16 h[8];
  u8 b[16];
  double f64[2];
  float f32[4];
} Vector;

// An instruction in the form that Run takes. The bytes of `w`: what to do (Action), then the
// numbers of three registers, mostly Rd, Rn, Rm. 0 in all of `w`: not decoded yet.
typedef struct {
  u32 w;
  u32 aux;  // of a branch: the Op that it leads to, 0 while that is unknown
  u64 imm;  // of a branch: bits 0 to 31 where it leads, bits 32 to 63 where it returns to
} Op;

// Where ops lie: in the first 512 KiB, which the module has from its beginning (--initial-memory).
enum { kOpMask = 0x7fff0 };

// Numbers of registers beyond x0 to x30.
enum { kSp = 31, kZero = 32, kSink = 33, kRegisters = 34 };

// What the flags are made of. kSub32: a and b are sign-extended.
enum { kFlagsSub64, kFlagsSub32, kFlagsNzcv };

// Why Run came back.
enum { kWhyDecode, kWhyLink, kWhyJump, kWhySlow, kWhyFault };

typedef struct {
  u64 x[kRegisters];
  Vector v[32];
  u64 flags_a, flags_b;
  u32 flags_kind;
  u32 why;
  u64 target;    // kWhyJump: where to; kWhyFault: the address
  u8* memory;    // byte 0 of the guest's range
  u64 low;       // its address
  u64 last;      // the highest distance from `low` at which 16 bytes may be read or written
  u64 code_low;  // the range of addresses that may be run
  u64 code_size;
  const u32* units;  // of each 128 bytes of code: its first Op, 0 while it has none
  u64 exclusive;     // the address of the last exclusive load, or kNotExclusive
  u64 thread;        // TPIDR_EL0
  u32 fpcr, fpsr;
} Cpu;

#define kNotExclusive (~0ull)

extern Cpu cpu;

// Registers by the number in an instruction: 31 is zero for these two, and the stack pointer for
// the others.
static inline u64 X(u32 n) { return n == 31 ? 0 : cpu.x[n]; }
static inline void SetX(u32 n, u64 value) { cpu.x[n == 31 ? kSink : n] = value; }
static inline u64 XSp(u32 n) { return cpu.x[n]; }

// `count` bits of the word from bit `at` on; Signed: sign-extended.
static inline u32 Bits(u32 word, u32 at, u32 count) { return (word >> at) & ((1u << count) - 1); }
static inline i64 Signed(u64 value, u32 bits) { return (i64)(value << (64 - bits)) >> (64 - bits); }
static inline u64 Ones(u32 bits) { return bits >= 64 ? ~0ull : (1ull << bits) - 1; }

// run.c
const Op* Run(const Op* op);
u32 Nzcv(void);  // the flags: N is bit 3, V bit 0
void SetNzcv(u32 nzcv);
int Holds(u32 condition);

// decode.c
void Decode(Op* op, u32 word, u32 next, u64 pc);
// A bit pattern of 64 bits as logical immediates name it, 0 if the name is none.
u64 Pattern(u32 n, u32 imms, u32 immr, u32 width);

// units.c
void ReserveUnits(u32* map);  // `map` has an entry of zero for each 128 bytes of code
const Op* OpAt(u64 pc);
u64 PcOf(const Op* op);
const Op* Link(const Op* op);
void ForgetUnits(void);
extern u32 units_forgotten;

// machine.c
void Interpret(u64 pc);
void Undefined(u32 word, u64 pc) __attribute__((noreturn));
void Fault(u64 address, u64 pc) __attribute__((noreturn));
// Where `bytes` of the guest lie; ends the program if they are not its own.
u8* Guest(u64 address, u64 bytes);
int IsGuest(u64 address, u64 bytes);
extern u64 slow_pc;  // of the instruction that a slow function runs

// What slow.def names: each runs one instruction, and ends the program if there is none like it.
#define ROW(name, mask, value) void Exec##name(u32 word);
#include "slow.def"
#undef ROW

// linux.c
void SystemCall(void);
// Sentences on standard error, without printf
void Say(const char* text);
void SayHex(u64 value, u32 digits);
void Die(const char* text, int code) __attribute__((noreturn));

#endif  // EXAMPLES_ARM64_ARM64_H_
