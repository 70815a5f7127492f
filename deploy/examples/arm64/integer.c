// Rare instructions on x registers: carries, checksums, system registers, exclusive and atomic
// accesses. There is one core, so that whatever is one access is atomic, and barriers have nothing
// to do.
#include <time.h>

#include "arm64.h"

void ExecAddWithCarry(u32 word) {
  const u32 is_64 = word >> 31, subtracts = word >> 30 & 1, carry = Nzcv() >> 1 & 1;
  const u64 mask = is_64 ? ~0ull : 0xffffffff, sign = is_64 ? 1ull << 63 : 1u << 31;
  const u64 a = X(word >> 5 & 31) & mask,
            b = (subtracts ? ~X(word >> 16 & 31) : X(word >> 16 & 31)) & mask;
  const u64 sum = (a + b + carry) & mask;
  SetX(word & 31, sum);
  if (!(word >> 29 & 1)) return;
  const int carries = sum < a || (carry && sum == a);
  const int overflows = (~(a ^ b) & (a ^ sum) & sign) != 0;
  SetNzcv((u32)((sum & sign) != 0) << 3 | (u32)(sum == 0) << 2 | (u32)carries << 1 |
          (u32)overflows);
}

void ExecCrc32(u32 word) {
  const u32 size = Bits(word, 10, 2), polynomial = word >> 12 & 1 ? 0x82f63b78 : 0xedb88320;
  if ((size == 3) != (word >> 31)) Undefined(word, slow_pc);
  u32 sum = (u32)X(word >> 5 & 31);
  const u64 value = X(word >> 16 & 31);
  for (u32 byte = 0; byte < 1u << size; ++byte) {
    sum ^= (u8)(value >> byte * 8);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
  }
  SetX(word & 31, sum);
}

void ExecSvc(u32 word) {
  (void)word;
  SystemCall();
}

#define SYSTEM(op0, op1, crn, crm, op2) \
  ((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
enum {
  kThread = SYSTEM(3, 3, 13, 0, 2),
  kZeroing = SYSTEM(3, 3, 0, 0, 7),
  kCaches = SYSTEM(3, 3, 0, 0, 1),
  kFlags = SYSTEM(3, 3, 4, 2, 0),
  kFpcr = SYSTEM(3, 3, 4, 4, 0),
  kFpsr = SYSTEM(3, 3, 4, 4, 1),
  kTicks = SYSTEM(3, 3, 14, 0, 2),
  kTicksASecond = SYSTEM(3, 3, 14, 0, 0),
  kZero64Bytes = SYSTEM(1, 3, 7, 4, 1),
  kForgetCode = SYSTEM(1, 3, 7, 5, 1),
  kCleanCode = SYSTEM(1, 3, 7, 11, 1),
  kClean = SYSTEM(1, 3, 7, 10, 1),
  kCleanAndForget = SYSTEM(1, 3, 7, 14, 1),
};

static u64 ReadSystem(u32 word) {
  switch (word >> 5 & 0xffff) {
    case kThread: return cpu.thread;
    case kZeroing: return 4;  // dc zva: 64 bytes
    case kCaches: return 0x8444c004;
    case kFlags: return (u64)Nzcv() << 28;
    case kFpcr: return cpu.fpcr;
    case kFpsr: return cpu.fpsr;
    case kTicksASecond: return 1000000000;
    case kTicks: {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
    }
    default: Undefined(word, slow_pc);
  }
}

static void WriteSystem(u32 word, u64 value) {
  switch (word >> 5 & 0xffff) {
    case kThread: cpu.thread = value; return;
    case kFlags: SetNzcv(value >> 28 & 15); return;
    case kFpsr: cpu.fpsr = (u32)value; return;
    case kFpcr:
      // Rounding but to the nearest, subnormals as zero and default NaNs are not there.
      if (value & 0x3c00000) Undefined(word, slow_pc);
      cpu.fpcr = (u32)value;
      return;
    case kZero64Bytes: memset(Guest(value & ~63ull, 64), 0, 64); return;
    case kForgetCode: ForgetUnits(); return;
    case kCleanCode:
    case kClean:
    case kCleanAndForget: return;
    default: Undefined(word, slow_pc);
  }
}

void ExecSystem(u32 word) {
  if ((word & 0xfffff0ff) == 0xd503305f) {
    cpu.exclusive = kNotExclusive;
  } else if (word >> 21 & 1) {
    SetX(word & 31, ReadSystem(word));
  } else {
    WriteSystem(word, X(word & 31));
  }
}

static u64 ReadGuest(u64 address, u32 size) {
  u64 value = 0;
  memcpy(&value, Guest(address, 1u << size), 1u << size);
  return value;
}
static void WriteGuest(u64 address, u32 size, u64 value) {
  memcpy(Guest(address, 1u << size), &value, 1u << size);
}

static void RunExclusive(u32 word, u32 size, u32 pair) {
  const u32 rt = word & 31, rt2 = Bits(word, 10, 5), rs = Bits(word, 16, 5);
  const u64 address = XSp(word >> 5 & 31);
  if (word >> 22 & 1) {
    SetX(rt, ReadGuest(address, size));
    if (pair) SetX(rt2, ReadGuest(address + (1u << size), size));
    cpu.exclusive = address;
    return;
  }
  const int stores = cpu.exclusive == address;
  cpu.exclusive = kNotExclusive;
  if (stores) {
    WriteGuest(address, size, X(rt));
    if (pair) WriteGuest(address + (1u << size), size, X(rt2));
  }
  SetX(rs, !stores);
}

static void CompareAndSwap(u32 word, u32 size, u32 pair) {
  const u32 rt = word & 31, rs = Bits(word, 16, 5);
  const u64 address = XSp(word >> 5 & 31), mask = Ones(8u << size);
  const u64 old = ReadGuest(address, size),
            high = pair ? ReadGuest(address + (1u << size), size) : 0;
  const int equal = old == (X(rs) & mask) && (!pair || high == (X(rs + 1) & mask));
  if (equal) {
    WriteGuest(address, size, X(rt));
    if (pair) WriteGuest(address + (1u << size), size, X(rt + 1));
  }
  SetX(rs, old);
  if (pair) SetX(rs + 1, high);
}

void ExecExclusive(u32 word) {
  const u32 size = word >> 30, ordered = word >> 23 & 1, other = word >> 21 & 1;
  if (ordered && other) return CompareAndSwap(word, size, 0);
  if (!ordered && other)
    return size < 2 ? CompareAndSwap(word, 2 + size, 1) : RunExclusive(word, size, 1);
  if (!ordered) return RunExclusive(word, size, 0);
  const u64 address = XSp(word >> 5 & 31);
  if (word >> 22 & 1) {
    SetX(word & 31, ReadGuest(address, size));
  } else {
    WriteGuest(address, size, X(word & 31));
  }
}

static u64 Changed(u32 opcode, u64 old, u64 value, u32 bits) {
  const i64 a = Signed(old, bits), b = Signed(value, bits);
  switch (opcode) {
    case 0: return old + value;
    case 1: return old & ~value;
    case 2: return old ^ value;
    case 3: return old | value;
    case 4: return (u64)(a > b ? a : b);
    case 5: return (u64)(a < b ? a : b);
    case 6: return old > value ? old : value;
    default: return old < value ? old : value;
  }
}

void ExecAtomic(u32 word) {
  const u32 size = word >> 30, opcode = Bits(word, 12, 4), bits = 8u << size;
  const u64 address = XSp(word >> 5 & 31), value = X(Bits(word, 16, 5)) & Ones(bits);
  const u64 old = ReadGuest(address, size);
  if (opcode < 8) {
    WriteGuest(address, size, Changed(opcode, old, value, bits));
  } else if (opcode == 8) {
    WriteGuest(address, size, value);
  } else if (opcode != 12) {  // 12: ldapr, a load
    Undefined(word, slow_pc);
  }
  SetX(word & 31, old);
}
