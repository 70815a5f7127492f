// What is around Run: rare instructions, and ends that are the program's fault.
#include "arm64.h"

#include <unistd.h>

enum {
#define ACTION(name) k##name,
#include "actions.def"
#undef ACTION
};

u64 slow_pc;

int IsGuest(u64 address, u64 bytes) {
  const u64 distance = address - cpu.low;
  return distance <= cpu.last + 16 && bytes <= cpu.last + 16 - distance;
}
u8* Guest(u64 address, u64 bytes) {
  if (!IsGuest(address, bytes)) Fault(address, slow_pc);
  return cpu.memory + (u32)(address - cpu.low);
}

void Say(const char* text) { (void)!write(2, text, strlen(text)); }
void SayHex(u64 value, u32 digits) {
  char text[16];
  for (u32 i = 0; i < digits; ++i) text[i] = "0123456789abcdef"[value >> (digits - 1 - i) * 4 & 15];
  (void)!write(2, text, digits);
}
void Die(const char* text, int code) {
  Say(text);
  Say("\n");
  _exit(code);
}

// The exit codes are those that a shell gives for SIGILL and SIGSEGV.
void Undefined(u32 word, u64 pc) {
  Say("arm64: undefined instruction 0x");
  SayHex(word, 8);
  Say(" at 0x");
  SayHex(pc, 8);
  Die("", 132);
}
void Fault(u64 address, u64 pc) {
  Say("arm64: no memory at address 0x");
  SayHex(address, 16);
  Say(", for the instruction at 0x");
  SayHex(pc, 8);
  Die("; -m MIB gives more", 139);
}

static void RunSlow(u32 row, u32 word) {
  switch (row) {
    enum { kFirst = __COUNTER__ };
#define ROW(name, mask, value)   \
  case __COUNTER__ - kFirst - 1: \
    Exec##name(word);            \
    break;
#include "slow.def"
#undef ROW
    default: Undefined(word, slow_pc);
  }
}

static const Op* DecodeAt(const Op* op) {
  const u64 pc = PcOf(op);
  u32 words[2] = {0, 0};
  memcpy(words, Guest(pc, 4), 4);
  // The last instruction of a unit is never joined with the one behind it.
  if ((pc & 124) != 124 && IsGuest(pc + 4, 4)) memcpy(words + 1, Guest(pc + 4, 4), 4);
  Decode((Op*)op, words[0], words[1], pc);
  return op;
}

static const Op* Slow(const Op* op) {
  const u32 before = units_forgotten;
  slow_pc = PcOf(op);
  RunSlow(op->aux, (u32)op->imm);
  return units_forgotten == before ? op + 1 : OpAt(slow_pc + 4);
}

void Interpret(u64 pc) {
  const Op* op = OpAt(pc);
  for (;;) {
    op = Run(op);
    switch (cpu.why) {
      case kWhyDecode: op = DecodeAt(op); break;
      case kWhyLink: op = Link(op); break;
      case kWhyJump: op = OpAt(cpu.target); break;
      case kWhySlow: op = Slow(op); break;
      default: Fault(cpu.target, PcOf(op));
    }
  }
}
