// Run: decoded instructions one after the other. It calls nothing that can loop, so that it is one
// function for compilers of GPUs, and everything rare happens outside: it returns, with the reason
// in cpu.why.
#include "arm64.h"

enum {
#define ACTION(name) k##name,
#include "actions.def"
#undef ACTION
};

Cpu cpu;

typedef u64 __attribute__((aligned(1), may_alias)) Any64;
typedef u32 __attribute__((aligned(1), may_alias)) Any32;
typedef u16 __attribute__((aligned(1), may_alias)) Any16;

// Four bits for each condition: which relations of a and b fulfil it (equal, below, less with
// sign), and whether the answer is turned round. 15: it cannot be told so (N and V alone).
#define kRelations 0x885d4c3bffff2a91ull

static inline int Relates(u64 a, u64 b, u32 mask) {
  const u32 relations = (u32)(a == b) | (u32)(a < b) << 1 | (u32)((i64)a < (i64)b) << 2;
  return ((relations & mask & 7) != 0) != (mask >> 3);
}

static inline u32 NzcvOfSum64(u64 a, u64 b) {
  const u64 sum = a + b;
  return (u32)(sum >> 63) << 3 | (u32)(sum == 0) << 2 | (u32)(sum < a) << 1 |
         (u32)((~(a ^ b) & (a ^ sum)) >> 63);
}
static inline u32 NzcvOfSum32(u32 a, u32 b) {
  const u32 sum = a + b;
  return (sum >> 31) << 3 | (u32)(sum == 0) << 2 | (u32)(sum < a) << 1 |
         (~(a ^ b) & (a ^ sum)) >> 31;
}
static inline u32 NzcvOfFlags(u32 kind, u64 a, u64 b) {
  if (kind == kFlagsNzcv) return (u32)a;
  const u32 sign = kind == kFlagsSub64 ? 63 : 31;
  const u64 difference = a - b;
  return (u32)(difference >> sign & 1) << 3 | (u32)(a == b) << 2 | (u32)(a >= b) << 1 |
         (u32)(((a ^ b) & (a ^ difference)) >> sign & 1);
}

// Bit n of a condition's word: whether it holds if NZCV is n.
static const u16 kHolding[16] = {0xf0f0, 0x0f0f, 0xcccc, 0x3333, 0xff00, 0x00ff, 0xaaaa, 0x5555,
                                 0x0c0c, 0xf3f3, 0xaa55, 0x55aa, 0x0a05, 0xf5fa, 0xffff, 0xffff};

static inline int HoldsFor(u32 condition, u32 kind, u64 a, u64 b) {
  const u32 mask = (u32)(kRelations >> (condition * 4)) & 15;
  if (kind != kFlagsNzcv && mask != 15) return Relates(a, b, mask);
  return kHolding[condition] >> NzcvOfFlags(kind, a, b) & 1;
}

u32 Nzcv(void) { return NzcvOfFlags(cpu.flags_kind, cpu.flags_a, cpu.flags_b); }
void SetNzcv(u32 nzcv) {
  cpu.flags_kind = kFlagsNzcv;
  cpu.flags_a = nzcv;
}
int Holds(u32 condition) { return kHolding[condition] >> Nzcv() & 1; }

static inline u64 Extended(u64 value, u32 option) {
  switch (option) {
    case 0: return (u8)value;
    case 1: return (u16)value;
    case 2: return (u32)value;
    case 4: return (u64)(i64)(i8)value;
    case 5: return (u64)(i64)(i16)value;
    case 6: return (u64)(i64)(i32)value;
    default: return value;
  }
}

// The second operand of Operate: `aux` has the amount in bits 0 to 5, the way in bits 8 to 10 (lsl,
// lsr, asr, ror, extended), its option in bits 11 to 13, sf in bit 14, and in bit 20 whether it is
// inverted.
static inline u64 Operand(u64 value, u32 aux) {
  const u32 amount = aux & 63, is_64 = aux >> 14 & 1;
  switch (aux >> 8 & 7) {
    case 0: value <<= amount; break;
    case 1: value = (is_64 ? value : (u32)value) >> amount; break;
    case 2: value = (u64)((is_64 ? (i64)value : (i64)(i32)value) >> amount); break;
    case 3:
      value = is_64 ? value >> amount | value << (-amount & 63)
                    : (u64)((u32)value >> amount | (u32)value << (-amount & 31));
      break;
    default: value = Extended(value, aux >> 11 & 7) << amount; break;
  }
  return aux & 1 << 20 ? ~value : value;
}

static inline u64 OneSource(u64 value, u32 aux) {
  const u32 word = (u32)value;
  switch (aux) {
    case 0x000: return __builtin_bitreverse32(word);
    case 0x100: return __builtin_bitreverse64(value);
    case 0x001: return (word & 0xff00ff) << 8 | (word >> 8 & 0xff00ff);
    case 0x101: return (value & 0xff00ff00ff00ffull) << 8 | (value >> 8 & 0xff00ff00ff00ffull);
    case 0x002: return __builtin_bswap32(word);
    case 0x102: value = __builtin_bswap64(value); return value << 32 | value >> 32;
    case 0x103: return __builtin_bswap64(value);
    case 0x004: return word == 0 ? 32 : (u32)__builtin_clz(word);
    case 0x104: return value == 0 ? 64 : (u64)__builtin_clzll(value);
    case 0x005:
      value = word ^ (u32)((i32)word >> 31);
      return value == 0 ? 31 : (u64)__builtin_clzll(value) - 33;
    default:
      value ^= (u64)((i64)value >> 63);
      return value == 0 ? 63 : (u64)__builtin_clzll(value) - 1;
  }
}

// Bits 0 to 3 of `aux`: the opcode; bit 8: sf.
static inline u64 TwoSources64(u64 a, u64 b, u32 opcode) {
  switch (opcode) {
    case 2: return b == 0 ? 0 : a / b;
    case 3: return b == 0 ? 0 : b == ~0ull ? -a : (u64)((i64)a / (i64)b);
    case 8: return a << (b & 63);
    case 9: return a >> (b & 63);
    case 10: return (u64)((i64)a >> (b & 63));
    default: return a >> (b & 63) | a << (-b & 63);
  }
}
static inline u32 TwoSources32(u32 a, u32 b, u32 opcode) {
  switch (opcode) {
    case 2: return b == 0 ? 0 : a / b;
    case 3: return b == 0 ? 0 : b == ~0u ? -a : (u32)((i32)a / (i32)b);
    case 8: return a << (b & 31);
    case 9: return a >> (b & 31);
    case 10: return (u32)((i32)a >> (b & 31));
    default: return a >> (b & 31) | a << (-b & 31);
  }
}

static inline u64 HighProduct(u64 a, u64 b) {
  const u64 low = (u64)(u32)a * (u32)b;
  const u64 cross = (a >> 32) * (u32)b + (low >> 32);
  const u64 other = (u64)(u32)a * (b >> 32) + (u32)cross;
  return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}
static inline u64 ThreeSources(u64 a, u64 b, u64 c, u32 opcode) {
  switch (opcode) {
    case 2: return c + (u64)((i64)(i32)a * (i32)b);
    case 3: return c - (u64)((i64)(i32)a * (i32)b);
    case 4: return HighProduct(a, b) - ((i64)a < 0 ? b : 0) - ((i64)b < 0 ? a : 0);
    case 10: return c + (u64)(u32)a * (u32)b;
    case 11: return c - (u64)(u32)a * (u32)b;
    default: return HighProduct(a, b);
  }
}

static inline double Result64(double a, double b, u32 opcode) {
  switch (opcode) {
    case 0: return a * b;
    case 1: return a / b;
    case 2: return a + b;
    default: return a - b;
  }
}
static inline float Result32(float a, float b, u32 opcode) {
  switch (opcode) {
    case 0: return a * b;
    case 1: return a / b;
    case 2: return a + b;
    default: return a - b;
  }
}

#define REGISTER(offset) (*(u64*)((u8*)cpu.x + (offset)))
#define RD REGISTER(w >> 5 & 0x7f8)
#define RN REGISTER(w >> 13 & 0x7f8)
#define RM REGISTER(w >> 21 & 0x7f8)
#define VECTOR(shift) (*(Vector*)((u8*)cpu.v + (w >> (shift)&0x1f0)))
// The place of guest address `value`, of which 16 bytes may be touched.
#define AT(value)                        \
  ({                                     \
    const u64 at_distance = (value)-low; \
    if (at_distance > last) goto fault;  \
    memory + (u32)at_distance;           \
  })
#define LOAD(type, address) (*(const type*)AT(address))
#define STORE(type, address, value) *(type*)AT(address) = (type)(value)
#define FLAGS(kind, a, b) (flags_kind = (kind), flags_a = (a), flags_b = (b))
#define LEAVE(reason)   \
  {                     \
    cpu.why = (reason); \
    goto leave;         \
  }
// Goes to where `op` leads. Nothing has happened yet if that is unknown.
#define BRANCH                    \
  {                               \
    const u32 to = op->aux;       \
    if (to == 0) LEAVE(kWhyLink); \
    op = (const Op*)to;           \
    continue;                     \
  }
#define BRANCH_IF(condition)     \
  {                              \
    if (condition) BRANCH break; \
  }
// Compares a and b as an instruction before did, and branches as the one behind it says.
#define BRANCH_BEHIND(a, b)     \
  {                             \
    if (!Relates(a, b, mask)) { \
      op += 2;                  \
      continue;                 \
    }                           \
    const u32 to = op[1].aux;   \
    if (to == 0) break;         \
    op = (const Op*)to;         \
    continue;                   \
  }
#define IMMEDIATE SIGNED32(op->aux)
#define SIGNED32(value) ((u64)(i64)(i32)(value))

const Op* Run(const Op* op) {
  u8* const memory = cpu.memory;
  const u64 low = cpu.low, last = cpu.last;
  u32 flags_kind = cpu.flags_kind;
  u64 flags_a = cpu.flags_a, flags_b = cpu.flags_b;
  u64 a, b;
  u32 mask;  // of Relates
  for (;;) {
    // Whatever it was: within the memory that a module has from its beginning, and aligned. So
    // compilers of GPUs, whose lanes hold memory by words, need not ask.
    op = (const Op*)((u32)(uintptr_t)op & kOpMask);
    const u32 w = op->w;
    switch (w & 255) {
      case kUndecoded: LEAVE(kWhyDecode)
      case kSlow: LEAVE(kWhySlow)
      case kCross: BRANCH
      case kConst: RD = op->imm; break;
      case kAddI64: RD = RN + IMMEDIATE; break;
      case kAddI32: RD = (u32)RN + op->aux; break;
      case kSubsI64: a = RN, b = IMMEDIATE; goto subs64;
      case kSubsI32: a = RN, b = IMMEDIATE; goto subs32;
      case kSubs64: a = RN, b = RM << op->aux; goto subs64;
      case kSubs32: a = RN, b = (u32)RM << op->aux; goto subs32;
      case kSubsI64B: a = RN, b = IMMEDIATE, mask = w >> 24; goto subs64_branch;
      case kSubsI32B: a = RN, b = IMMEDIATE, mask = w >> 24; goto subs32_branch;
      case kSubs64B: a = RN, b = RM, mask = op->aux; goto subs64_branch;
      case kSubs32B:
        a = RN, b = RM, mask = op->aux;
        goto subs32_branch;
      subs64:
        RD = a - b;
        FLAGS(kFlagsSub64, a, b);
        break;
      subs32:
        RD = (u32)a - (u32)b;
        FLAGS(kFlagsSub32, SIGNED32(a), SIGNED32(b));
        break;
      subs64_branch:
        RD = a - b;
        FLAGS(kFlagsSub64, a, b);
        BRANCH_BEHIND(a, b)
      subs32_branch:
        RD = (u32)a - (u32)b;
        FLAGS(kFlagsSub32, SIGNED32(a), SIGNED32(b));
        BRANCH_BEHIND(flags_a, flags_b)
      case kAddsI64:
        a = RN, b = IMMEDIATE;
        FLAGS(kFlagsNzcv, NzcvOfSum64(a, b), 0);
        RD = a + b;
        break;
      case kAddsI32:
        a = RN, b = IMMEDIATE;
        FLAGS(kFlagsNzcv, NzcvOfSum32((u32)a, (u32)b), 0);
        RD = (u32)a + (u32)b;
        break;
      case kMov64: RD = RM; break;
      case kMov32: RD = (u32)RM; break;
      case kAdd64: RD = RN + (RM << op->aux); break;
      case kAdd32: RD = (u32)RN + ((u32)RM << op->aux); break;
      case kSub64: RD = RN - (RM << op->aux); break;
      case kSub32: RD = (u32)RN - ((u32)RM << op->aux); break;
      case kAnd64: RD = RN & RM << op->aux; break;
      case kOrr64: RD = RN | RM << op->aux; break;
      case kEor64: RD = RN ^ RM << op->aux; break;
      case kAnd32: RD = (u32)RN & (u32)RM << op->aux; break;
      case kOrr32: RD = (u32)RN | (u32)RM << op->aux; break;
      case kEor32: RD = (u32)RN ^ (u32)RM << op->aux; break;
      case kAndI: RD = RN & op->imm; break;
      case kOrrI64: RD = RN | op->imm; break;
      case kEorI64: RD = RN ^ op->imm; break;
      case kOrrI32: RD = (u32)RN | (u32)op->imm; break;
      case kEorI32: RD = (u32)RN ^ (u32)op->imm; break;
      case kAndsI64:
        a = RN & op->imm;
        FLAGS(kFlagsNzcv, (a >> 63) << 3 | (u64)(a == 0) << 2, 0);
        RD = a;
        break;
      case kAndsI32:
        a = RN & op->imm;
        FLAGS(kFlagsNzcv, (a >> 31) << 3 | (u64)(a == 0) << 2, 0);
        RD = a;
        break;
      case kOperate: {
        const u32 aux = op->aux, is_64 = aux >> 14 & 1;
        a = RN, b = Operand(RM, aux);
        switch (aux >> 16 & 15) {
          case 1:
            FLAGS(kFlagsNzcv, is_64 ? NzcvOfSum64(a, b) : NzcvOfSum32((u32)a, (u32)b), 0);
            a += b;
            break;
          case 0: a += b; break;
          case 3:
            if (is_64) {
              FLAGS(kFlagsSub64, a, b);
            } else {
              FLAGS(kFlagsSub32, SIGNED32(a), SIGNED32(b));
            }
            a -= b;
            break;
          case 2: a -= b; break;
          case 4: a &= b; break;
          case 5: a |= b; break;
          case 6: a ^= b; break;
          default:
            a &= b;
            if (!is_64) a = (u32)a;
            FLAGS(kFlagsNzcv, (a >> (is_64 ? 63 : 31)) << 3 | (u64)(a == 0) << 2, 0);
            break;
        }
        RD = is_64 ? a : (u32)a;
        break;
      }
      case kMovk: RD = (RD & ~(0xffffull << op->aux)) | op->imm; break;
      case kMovk32: RD = ((u32)RD & ~(0xffffu << op->aux)) | (u32)op->imm; break;
      case kExtract: RD = RN >> op->aux & op->imm; break;
      case kInsert: RD = (RN & op->imm) << op->aux; break;
      case kSigned64: RD = (u64)((i64)(RN << (op->aux & 63)) >> (op->aux >> 8)); break;
      case kSigned32: RD = (u32)((i64)(RN << (op->aux & 63)) >> (op->aux >> 8)); break;
      case kField64:
      case kField32:
        a = RN, b = op->imm;
        a = a << (op->aux & 63) | a >> (-op->aux & 63);
        a = (RD & ~b) | (a & b);
        RD = (w & 255) == kField32 ? (u32)a : a;
        break;
      case kExtr64: RD = op->aux == 0 ? RM : RM >> op->aux | RN << (-op->aux & 63); break;
      case kExtr32:
        RD = op->aux == 0 ? (u32)RM : (u32)RM >> op->aux | (u32)RN << (-op->aux & 31);
        break;
      case kOneSource: RD = OneSource(RN, op->aux); break;
      case kTwoSources:
        a = RN, b = RM;
        RD = op->aux & 256 ? TwoSources64(a, b, op->aux & 15)
                           : TwoSources32((u32)a, (u32)b, op->aux & 15);
        break;
      case kMadd64: RD = cpu.x[op->aux & 63] + RN * RM; break;
      case kMadd32: RD = (u32)cpu.x[op->aux & 63] + (u32)RN * (u32)RM; break;
      case kThreeSources: {
        const u64 c = cpu.x[op->aux & 63];
        a = RN, b = RM;
        switch (op->aux >> 8) {
          case 1: RD = c - a * b; break;
          case 16: RD = (u32)c - (u32)a * (u32)b; break;
          default: RD = ThreeSources(a, b, c, op->aux >> 8); break;
        }
        break;
      }
      case kSelect: {
        const u32 aux = op->aux;
        a = RN, b = RM;
        if (!HoldsFor(aux & 15, flags_kind, flags_a, flags_b)) {
          a = (aux & 32 ? ~b : b) + (aux >> 4 & 1);
        }
        RD = a & op->imm;
        break;
      }
      case kCompare: {
        const u32 aux = op->aux;
        a = RN, b = aux & 512 ? op->imm : RM;
        if (!HoldsFor(aux & 15, flags_kind, flags_a, flags_b)) {
          FLAGS(kFlagsNzcv, aux >> 4 & 15, 0);
        } else if (aux & 256) {
          FLAGS(kFlagsNzcv, aux & 1024 ? NzcvOfSum64(a, b) : NzcvOfSum32((u32)a, (u32)b), 0);
        } else if (aux & 1024) {
          FLAGS(kFlagsSub64, a, b);
        } else {
          FLAGS(kFlagsSub32, SIGNED32(a), SIGNED32(b));
        }
        break;
      }
      case kB: BRANCH
      case kBl:
        if (op->aux != 0) cpu.x[30] = op->imm >> 32;
        BRANCH
      case kBCond: BRANCH_IF(HoldsFor(w >> 8 & 15, flags_kind, flags_a, flags_b))
      case kCbz64: BRANCH_IF(RD == 0)
      case kCbnz64: BRANCH_IF(RD != 0)
      case kCbz32: BRANCH_IF((u32)RD == 0)
      case kCbnz32: BRANCH_IF((u32)RD != 0)
      case kTbz: BRANCH_IF((RD >> (w >> 24 & 63) & 1) == 0)
      case kTbnz: BRANCH_IF((RD >> (w >> 24 & 63) & 1) != 0)
      case kBr:
      case kBlr: {
        a = RN;
        if ((w & 255) == kBlr) cpu.x[30] = op->imm;
        b = a - cpu.code_low;
        if (b < cpu.code_size && (b & 3) == 0) {
          const u32 unit = cpu.units[(u32)b >> 7];
          if (unit != 0) {
            op = (const Op*)(unit + (((u32)b & 0x7c) << 2));
            continue;
          }
        }
        cpu.target = a;
        LEAVE(kWhyJump)
      }
      case kLdr64:
        a = RN + IMMEDIATE;
        RD = LOAD(Any64, a);
        break;
      case kLdr32:
        a = RN + IMMEDIATE;
        RD = LOAD(Any32, a);
        break;
      case kLdrH:
        a = RN + IMMEDIATE;
        RD = LOAD(Any16, a);
        break;
      case kLdrB:
        a = RN + IMMEDIATE;
        RD = LOAD(u8, a);
        break;
      case kLdrSw:
        a = RN + IMMEDIATE;
        RD = SIGNED32(LOAD(Any32, a));
        break;
      case kStr64:
        a = RN + IMMEDIATE;
        STORE(Any64, a, RD);
        break;
      case kStr32:
        a = RN + IMMEDIATE;
        STORE(Any32, a, RD);
        break;
      case kStrH:
        a = RN + IMMEDIATE;
        STORE(Any16, a, RD);
        break;
      case kStrB:
        a = RN + IMMEDIATE;
        STORE(u8, a, RD);
        break;
      case kLdr64R:
        a = RN + (RM << op->aux);
        RD = LOAD(Any64, a);
        break;
      case kLdr32R:
        a = RN + (RM << op->aux);
        RD = LOAD(Any32, a);
        break;
      case kLdrHR:
        a = RN + (RM << op->aux);
        RD = LOAD(Any16, a);
        break;
      case kLdrBR:
        a = RN + (RM << op->aux);
        RD = LOAD(u8, a);
        break;
      case kLdrSwR:
        a = RN + (RM << op->aux);
        RD = SIGNED32(LOAD(Any32, a));
        break;
      case kStr64R:
        a = RN + (RM << op->aux);
        STORE(Any64, a, RD);
        break;
      case kStr32R:
        a = RN + (RM << op->aux);
        STORE(Any32, a, RD);
        break;
      case kStrHR:
        a = RN + (RM << op->aux);
        STORE(Any16, a, RD);
        break;
      case kStrBR:
        a = RN + (RM << op->aux);
        STORE(u8, a, RD);
        break;
      case kMemory: {
        const u32 aux = op->aux;
        const u64 offset = aux & 64 ? Extended(RM, aux >> 8 & 7) << (aux >> 12 & 7) : op->imm;
        b = RN + offset;
        a = aux & 16 ? RN : b;
        u8* const place = AT(a);
        switch (aux & 15) {
          case 0: *place = (u8)RD; break;
          case 1: a = *place; break;
          case 2: a = (u64)(i64)(i8)*place; break;
          case 3: a = (u32)(i32)(i8)*place; break;
          case 4: *(Any16*)place = (u16)RD; break;
          case 5: a = *(Any16*)place; break;
          case 6: a = (u64)(i64)(i16) * (Any16*)place; break;
          case 7: a = (u32)(i32)(i16) * (Any16*)place; break;
          case 8: *(Any32*)place = (u32)RD; break;
          case 9: a = *(Any32*)place; break;
          case 10: a = SIGNED32(*(Any32*)place); break;
          case 12: *(Any64*)place = RD; break;
          default: a = *(Any64*)place; break;
        }
        if (aux & 32) RN = b;
        if (aux & 3) RD = a;
        break;
      }
      case kLdp64:
      case kStp64: {
        const u32 aux = op->aux;
        b = RN + op->imm;
        a = aux & 1 ? RN : b;
        Any64* const place = (Any64*)AT(a);
        if ((w & 255) == kStp64) {
          place[0] = RD;
          place[1] = RM;
          if (aux & 2) RN = b;
          break;
        }
        const u64 first = place[0], second = place[1];
        if (aux & 2) RN = b;
        RD = first;
        RM = second;
        break;
      }
      case kPair: {
        const u32 aux = op->aux;
        b = RN + op->imm;
        a = aux & 1 ? RN : b;
        Any32* const place = (Any32*)AT(a);
        if (!(aux & 4)) {
          place[0] = (u32)RD;
          place[1] = (u32)RM;
          if (aux & 2) RN = b;
          break;
        }
        const u64 first = place[0], second = place[1];
        if (aux & 2) RN = b;
        RD = aux & 8 ? SIGNED32(first) : first;
        RM = aux & 8 ? SIGNED32(second) : second;
        break;
      }
      case kLdpQ:
      case kStpQ: {
        const u32 aux = op->aux;
        b = RN + op->imm;
        a = aux & 1 ? RN : b;
        u64* const one = VECTOR(4).d;
        u64* const two = VECTOR(20).d;
        Any64* const place = (Any64*)AT(a);
        a += 16;
        Any64* const behind = (Any64*)AT(a);
        if ((w & 255) == kStpQ) {
          place[0] = one[0];
          place[1] = one[1];
          behind[0] = two[0];
          behind[1] = two[1];
        } else {
          one[0] = place[0];
          one[1] = place[1];
          two[0] = behind[0];
          two[1] = behind[1];
        }
        if (aux & 2) RN = b;
        break;
      }
      case kLdrQ:
      case kStrQ: {
        a = RN + IMMEDIATE;
        Any64* const place = (Any64*)AT(a);
        u64* const one = VECTOR(4).d;
        if ((w & 255) == kStrQ) {
          place[0] = one[0];
          place[1] = one[1];
        } else {
          one[0] = place[0];
          one[1] = place[1];
        }
        break;
      }
      case kLdrD:
      case kLdrS: {
        a = RN + IMMEDIATE;
        u64* const one = VECTOR(4).d;
        one[0] = (w & 255) == kLdrD ? LOAD(Any64, a) : LOAD(Any32, a);
        one[1] = 0;
        break;
      }
      case kStrD:
        a = RN + IMMEDIATE;
        STORE(Any64, a, VECTOR(4).d[0]);
        break;
      case kStrS:
        a = RN + IMMEDIATE;
        STORE(Any32, a, VECTOR(4).s[0]);
        break;
      case kFloatTwoD: {
        const double value = Result64(VECTOR(12).f64[0], VECTOR(20).f64[0], (u32)op->imm >> 12 & 3);
        if (value != value) LEAVE(kWhySlow);
        VECTOR(4).f64[0] = value;
        VECTOR(4).d[1] = 0;
        break;
      }
      case kFloatTwoS: {
        const float value = Result32(VECTOR(12).f32[0], VECTOR(20).f32[0], (u32)op->imm >> 12 & 3);
        if (value != value) LEAVE(kWhySlow);
        VECTOR(4).d[0] = 0;
        VECTOR(4).d[1] = 0;
        VECTOR(4).f32[0] = value;
        break;
      }
      case kFloatCompare: {
        const int wide = op->aux & 1;
        const double x = wide ? VECTOR(12).f64[0] : VECTOR(12).f32[0];
        const double y = op->aux & 2 ? 0 : wide ? VECTOR(20).f64[0] : VECTOR(20).f32[0];
        FLAGS(kFlagsNzcv, x == y ? 6 : x < y ? 8 : x > y ? 2 : 3, 0);
        break;
      }
      default: __builtin_unreachable();
    }
    ++op;
  }
fault:
  cpu.why = kWhyFault;
  cpu.target = a;
leave:
  cpu.flags_kind = flags_kind;
  cpu.flags_a = flags_a;
  cpu.flags_b = flags_b;
  return op;
}
