// From an instruction's word to what Run does. What is not told here is a row of slow.def, or
// undefined.
#include "arm64.h"

enum {
#define ACTION(name) k##name,
#include "actions.def"
#undef ACTION
};

enum { kNoRow = 255 };

static const struct {
  u32 mask, value;
} kRows[] = {
#define ROW(name, mask, value) {mask, value},
#include "slow.def"
#undef ROW
};

static u32 Source(u32 n) { return n == 31 ? kZero : n; }
static u32 Destination(u32 n) { return n == 31 ? kSink : n; }

static int Set(Op* op, u32 action, u32 rd, u32 rn, u32 rm, u32 aux, u64 imm) {
  op->aux = aux;
  op->imm = imm;
  op->w = action | rd << 8 | rn << 16 | rm << 24;
  return 1;
}
static int SetNothing(Op* op) { return Set(op, kConst, kSink, 0, 0, 0, 0); }

u64 Pattern(u32 n, u32 imms, u32 immr, u32 width) {
  const u32 length_bits = n << 6 | (~imms & 63);
  if (length_bits < 2) return 0;
  const u32 size = 1u << (31 - (u32)__builtin_clz(length_bits));
  const u32 ones = imms & (size - 1), turn = immr & (size - 1);
  if (size > width || ones == size - 1) return 0;
  u64 pattern = Ones(ones + 1);
  if (turn != 0) pattern = (pattern >> turn | pattern << (size - turn)) & Ones(size);
  for (u32 filled = size; filled < 64; filled *= 2) pattern |= pattern << filled;
  return width == 32 ? (u32)pattern : pattern;
}

// The comparison behind which a conditional branch stands becomes one action with it.
// Masks as in run.c; 15: the branch asks for N or V alone.
static u32 MaskOfBranch(u32 word) {
  static const u8 kMasks[16] = {1, 9, 10, 2, 15, 15, 15, 15, 11, 3, 12, 4, 13, 5, 8, 8};
  return (word & 0xff000010) == 0x54000000 ? kMasks[word & 15] : 15;
}

static int DecodeAddImmediate(Op* op, u32 word, u32 next) {
  const u32 is_64 = word >> 31, subtracts = word >> 30 & 1, flags = word >> 29 & 1;
  const u32 rd = flags ? Destination(word & 31) : word & 31, rn = word >> 5 & 31;
  const u32 imm = Bits(word, 10, 12) << (word >> 22 & 1 ? 12 : 0);
  if (!flags) return Set(op, is_64 ? kAddI64 : kAddI32, rd, rn, 0, subtracts ? -imm : imm, 0);
  if (!subtracts) return Set(op, is_64 ? kAddsI64 : kAddsI32, rd, rn, 0, imm, 0);
  const u32 mask = MaskOfBranch(next);
  if (mask != 15) return Set(op, is_64 ? kSubsI64B : kSubsI32B, rd, rn, mask, imm, 0);
  return Set(op, is_64 ? kSubsI64 : kSubsI32, rd, rn, 0, imm, 0);
}

static int DecodeLogicalImmediate(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = word >> 29 & 3, rn = Source(word >> 5 & 31);
  const u64 imm = Pattern(word >> 22 & 1, Bits(word, 10, 6), Bits(word, 16, 6), is_64 ? 64 : 32);
  const u32 rd = opcode == 3 ? Destination(word & 31) : word & 31;
  if (imm == 0) return 0;
  static const u8 kActions[2][4] = {{kAndI, kOrrI32, kEorI32, kAndsI32},
                                    {kAndI, kOrrI64, kEorI64, kAndsI64}};
  if (opcode == 1 && rn == kZero) return Set(op, kConst, rd, 0, 0, 0, imm);
  return Set(op, kActions[is_64][opcode], rd, rn, 0, 0, imm);
}

static int DecodeWide(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = word >> 29 & 3, shift = (word >> 21 & 3) * 16;
  const u32 rd = Destination(word & 31);
  u64 imm = (u64)Bits(word, 5, 16) << shift;
  if (opcode == 1 || (!is_64 && shift > 16)) return 0;
  if (opcode == 3) return Set(op, is_64 ? kMovk : kMovk32, rd, 0, 0, shift, imm);
  if (opcode == 0) imm = is_64 ? ~imm : (u32)~imm;
  return Set(op, kConst, rd, 0, 0, 0, imm);
}

static int DecodeBitfield(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = word >> 29 & 3, width = is_64 ? 64 : 32;
  const u32 rd = Destination(word & 31), rn = Source(word >> 5 & 31);
  const u32 from = Bits(word, 16, 6), end = Bits(word, 10, 6);
  if (opcode == 3 || (word >> 22 & 1) != is_64 || from >= width || end >= width) return 0;
  // Bits from..end of Rn go to bit 0 on; or bits 0..end to bit `to` on.
  const u32 extracts = end >= from, bits = extracts ? end - from + 1 : end + 1,
            to = extracts ? 0 : width - from;
  if (opcode == 0) {
    const u32 up = extracts ? 64 - 1 - end : 64 - bits, down = 64 - bits - to;
    return Set(op, is_64 ? kSigned64 : kSigned32, rd, rn, 0, up | down << 8, 0);
  }
  if (opcode == 1) {
    const u32 turn = extracts ? -from & 63 : to;
    return Set(op, is_64 ? kField64 : kField32, rd, rn, 0, turn, Ones(bits) << to);
  }
  return Set(op, extracts ? kExtract : kInsert, rd, rn, 0, extracts ? from : to, Ones(bits));
}

static int DecodeExtract(Op* op, u32 word) {
  const u32 is_64 = word >> 31, amount = Bits(word, 10, 6);
  if ((word & 0x60200000) != 0 || (word >> 22 & 1) != is_64 || (!is_64 && amount > 31)) return 0;
  return Set(op, is_64 ? kExtr64 : kExtr32, Destination(word & 31), Source(word >> 5 & 31),
             Source(word >> 16 & 31), amount, 0);
}

static int DecodeImmediate(Op* op, u32 word, u64 pc, u32 next) {
  switch (word >> 23 & 7) {
    case 0:
    case 1: {
      const i64 distance = Signed(Bits(word, 5, 19) << 2 | Bits(word, 29, 2), 21);
      const u64 address = word >> 31 ? (pc & ~0xfffull) + (u64)distance * 4096 : pc + (u64)distance;
      return Set(op, kConst, Destination(word & 31), 0, 0, 0, address);
    }
    case 2: return DecodeAddImmediate(op, word, next);
    case 4: return DecodeLogicalImmediate(op, word);
    case 5: return DecodeWide(op, word);
    case 6: return DecodeBitfield(op, word);
    case 7: return DecodeExtract(op, word);
    default: return 0;
  }
}

// Add, sub and logical operators with a shifted register.
static int DecodeShifted(Op* op, u32 word, u32 next) {
  const u32 is_64 = word >> 31, opcode = word >> 29 & 3, sums = word >> 24 & 1,
            inverts = !sums && word >> 21 & 1;
  const u32 way = word >> 22 & 3, amount = Bits(word, 10, 6);
  const u32 rd = Destination(word & 31), rn = Source(word >> 5 & 31), rm = Source(word >> 16 & 31);
  if ((!is_64 && amount > 31) || (sums && way == 3)) return 0;
  if (way == 0 && !inverts) {
    if (!sums && opcode == 1 && rn == kZero && amount == 0) {
      return Set(op, is_64 ? kMov64 : kMov32, rd, 0, rm, 0, 0);
    }
    const u32 mask = MaskOfBranch(next);
    if (sums && opcode == 3 && amount == 0 && mask != 15) {
      return Set(op, is_64 ? kSubs64B : kSubs32B, rd, rn, rm, mask, 0);
    }
    static const u8 kActions[2][2][4] = {
        {{kAnd32, kOrr32, kEor32, 0}, {kAnd64, kOrr64, kEor64, 0}},
        {{kAdd32, 0, kSub32, kSubs32}, {kAdd64, 0, kSub64, kSubs64}}};
    const u32 action = kActions[sums][is_64][opcode];
    if (action != 0) return Set(op, action, rd, rn, rm, amount, 0);
  }
  const u32 what = sums ? opcode : 4 + opcode;
  return Set(op, kOperate, rd, rn, rm, amount | way << 8 | is_64 << 14 | what << 16 | inverts << 20,
             0);
}

static int DecodeExtended(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = word >> 29 & 3, amount = Bits(word, 10, 3);
  if ((word >> 22 & 3) != 0 || amount > 4) return 0;
  const u32 rd = opcode & 1 ? Destination(word & 31) : word & 31;
  return Set(op, kOperate, rd, word >> 5 & 31, Source(word >> 16 & 31),
             amount | 4 << 8 | Bits(word, 13, 3) << 11 | is_64 << 14 | opcode << 16, 0);
}

static int DecodeSources(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = Bits(word, 10, 6);
  const u32 rd = Destination(word & 31), rn = Source(word >> 5 & 31), rm = Source(word >> 16 & 31);
  if (word >> 29 & 1) return 0;
  if (word >> 30 & 1) {
    if (Bits(word, 16, 5) != 0 || opcode > 5 || (opcode == 3 && !is_64)) return 0;
    return Set(op, kOneSource, rd, rn, 0, opcode | is_64 << 8, 0);
  }
  if (opcode != 2 && opcode != 3 && (opcode < 8 || opcode > 11)) return 0;
  return Set(op, kTwoSources, rd, rn, rm, opcode | is_64 << 8, 0);
}

static int DecodeThreeSources(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = Bits(word, 21, 3) << 1 | Bits(word, 15, 1),
            ra = Source(Bits(word, 10, 5));
  const u32 rd = Destination(word & 31), rn = Source(word >> 5 & 31), rm = Source(word >> 16 & 31);
  if (word >> 29 & 3) return 0;
  if (opcode == 0) return Set(op, is_64 ? kMadd64 : kMadd32, rd, rn, rm, ra, 0);
  if (opcode == 1) return Set(op, kThreeSources, rd, rn, rm, ra | (is_64 ? 1 : 16) << 8, 0);
  if (!is_64 || opcode > 12 || (opcode > 4 && opcode < 10)) return 0;
  return Set(op, kThreeSources, rd, rn, rm, ra | opcode << 8, 0);
}

static int DecodeConditional(Op* op, u32 word) {
  const u32 is_64 = word >> 31, opcode = word >> 30 & 1, condition = Bits(word, 12, 4);
  const u32 rn = Source(word >> 5 & 31), field = Bits(word, 16, 5);
  if (word >> 21 & 1) return 0;
  if (word >> 23 & 1) {  // select
    if (word >> 29 & 1 || word >> 11 & 1) return 0;
    return Set(op, kSelect, Destination(word & 31), rn, Source(field),
               condition | Bits(word, 10, 1) << 4 | opcode << 5, is_64 ? ~0ull : 0xffffffff);
  }
  if (!(word >> 29 & 1) || word & 0x410) return 0;
  const u32 immediate = Bits(word, 11, 1);
  return Set(op, kCompare, kSink, rn, Source(field),
             condition | (word & 15) << 4 | (opcode ^ 1) << 8 | immediate << 9 | is_64 << 10,
             field);
}

static int DecodeRegister(Op* op, u32 word, u32 next) {
  if (!(word >> 28 & 1)) {
    if ((word >> 24 & 1) && (word >> 21 & 1)) return DecodeExtended(op, word);
    return DecodeShifted(op, word, next);
  }
  if (word >> 24 & 1) return DecodeThreeSources(op, word);
  switch (Bits(word, 21, 4)) {
    case 2:
    case 4: return DecodeConditional(op, word);
    case 6: return DecodeSources(op, word);
    default: return 0;
  }
}

static int SetBranch(Op* op, u32 action, u32 rd, u32 rm, u64 pc, i64 distance) {
  return Set(op, action, rd, 0, rm, 0, (u32)(pc + (u64)distance) | (pc + 4) << 32);
}

static int DecodeBranch(Op* op, u32 word, u64 pc) {
  const u32 is_64 = word >> 31, opposite = word >> 24 & 1, rd = Source(word & 31);
  if ((word & 0x7c000000) == 0x14000000) {
    return SetBranch(op, is_64 ? kBl : kB, 0, 0, pc, Signed(Bits(word, 0, 26) << 2, 28));
  }
  if ((word & 0x7e000000) == 0x34000000) {
    static const u8 kActions[2][2] = {{kCbz32, kCbnz32}, {kCbz64, kCbnz64}};
    return SetBranch(op, kActions[is_64][opposite], rd, 0, pc, Signed(Bits(word, 5, 19) << 2, 21));
  }
  if ((word & 0x7e000000) == 0x36000000) {
    const u32 bit = is_64 << 5 | Bits(word, 19, 5);
    return SetBranch(op, opposite ? kTbnz : kTbz, rd, bit, pc, Signed(Bits(word, 5, 14) << 2, 16));
  }
  if ((word & 0xff000010) == 0x54000000) {
    return SetBranch(op, kBCond, word & 15, 0, pc, Signed(Bits(word, 5, 19) << 2, 21));
  }
  const u32 kind = word & 0xfffffc1f, rn = Source(word >> 5 & 31);
  if (kind == 0xd61f0000 || kind == 0xd65f0000) return Set(op, kBr, 0, rn, 0, 0, 0);
  if (kind == 0xd63f0000) return Set(op, kBlr, 0, rn, 0, 0, pc + 4);
  // Hints, among them nop; barriers.
  return (word & 0xfffff01f) == 0xd503201f || (word & 0xfffff09f) == 0xd503309f ? SetNothing(op)
                                                                                : 0;
}

static int DecodePair(Op* op, u32 word) {
  const u32 opcode = word >> 30, loads = word >> 22 & 1, mode = word >> 23 & 3;
  const u32 size = word >> 26 & 1 ? 2 + opcode : opcode == 2 ? 3 : 2;
  const u64 offset = (u64)Signed(Bits(word, 15, 7), 7) << size;
  // Modes: 0 non-temporal, 1 offset behind, 2 offset, 3 offset before.
  const u32 aux = (mode == 1) | (mode == 1 || mode == 3) << 1, rn = word >> 5 & 31;
  u32 rt = word & 31, rt2 = Bits(word, 10, 5);
  if (word >> 26 & 1) {
    return opcode == 2 ? Set(op, loads ? kLdpQ : kStpQ, rt, rn, rt2, aux, offset) : 0;
  }
  if (opcode == 3 || (opcode == 1 && (!loads || mode == 0))) return 0;
  rt = loads ? Destination(rt) : Source(rt);
  rt2 = loads ? Destination(rt2) : Source(rt2);
  if (opcode == 2) return Set(op, loads ? kLdp64 : kStp64, rt, rn, rt2, aux, offset);
  return Set(op, kPair, rt, rn, rt2, aux | loads << 2 | (opcode == 1) << 3, offset);
}

// `type`: the size in bits 2 and 3, in bits 0 and 1 store, load, load signed to 64 bits, to 32.
static int SetMemory(Op* op, u32 type, u32 word, u64 offset, u32 aux) {
  static const u8 kActions[2][16] = {
      {kStrB, kLdrB, 0, 0, kStrH, kLdrH, 0, 0, kStr32, kLdr32, kLdrSw, 0, kStr64, kLdr64, 0, 0},
      {kStrBR, kLdrBR, 0, 0, kStrHR, kLdrHR, 0, 0, kStr32R, kLdr32R, kLdrSwR, 0, kStr64R, kLdr64R,
       0, 0}};
  const u32 rt = type & 3 ? Destination(word & 31) : Source(word & 31), rn = word >> 5 & 31;
  const u32 by_register = aux >> 6 & 1, rm = by_register ? Source(word >> 16 & 31) : 0;
  if (type == 14) return SetNothing(op);  // prefetch
  if (type == 11 || type == 15) return 0;
  const u32 action = kActions[by_register][type],
            plain = by_register ? (aux >> 8 & 3) == 3 : aux == 0;
  if (action != 0 && plain)
    return Set(op, action, rt, rn, rm, by_register ? aux >> 12 : (u32)offset, 0);
  return Set(op, kMemory, rt, rn, rm, type | aux, offset);
}

static int DecodeMemory(Op* op, u32 word, u64 pc) {
  const u32 vector = word >> 26 & 1, size = word >> 30, opcode = word >> 22 & 3,
            type = size << 2 | opcode;
  if ((word & 0x3a000000) == 0x28000000) return DecodePair(op, word);
  if ((word & 0x3b000000) == 0x18000000 && !vector) {
    static const u8 kActions[4] = {kLdr32, kLdr64, kLdrSw, 0};
    const u64 address = pc + (u64)Signed(Bits(word, 5, 19) << 2, 21);
    if (size == 3) return SetNothing(op);
    return Set(op, kActions[size], Destination(word & 31), kZero, 0, (u32)address, 0);
  }
  const u32 quad = vector && size == 0 && opcode >= 2;
  if ((word & 0x3b000000) == 0x39000000 && (!vector || quad)) {
    const u32 scale = quad ? 4 : size;
    const u64 offset = (u64)Bits(word, 10, 12) << scale;
    if (quad)
      return Set(op, opcode == 3 ? kLdrQ : kStrQ, word & 31, word >> 5 & 31, 0, (u32)offset, 0);
    return SetMemory(op, type, word, offset, 0);
  }
  if ((word & 0x3b000000) == 0x39000000 && size >= 2 && opcode < 2) {
    static const u8 kActions[2][2] = {{kStrS, kLdrS}, {kStrD, kLdrD}};
    return Set(op, kActions[size - 2][opcode], word & 31, word >> 5 & 31, 0,
               Bits(word, 10, 12) << size, 0);
  }
  if ((word & 0x3b000000) != 0x38000000 || vector) return 0;
  if (word >> 21 & 1) {
    if (Bits(word, 10, 2) != 2 || !(word >> 14 & 1)) return 0;
    return SetMemory(op, type, word, 0,
                     64 | Bits(word, 13, 3) << 8 | (word >> 12 & 1 ? size : 0) << 12);
  }
  static const u32 kModes[4] = {0, 16 | 32, 0, 32};  // unscaled, behind, as if unprivileged, before
  return SetMemory(op, type, word, (u64)Signed(Bits(word, 12, 9), 9), kModes[Bits(word, 10, 2)]);
}

static u32 RowOf(u32 word) {
  for (u32 row = 0; row < sizeof kRows / sizeof kRows[0]; ++row) {
    if ((word & kRows[row].mask) == kRows[row].value) return row;
  }
  return kNoRow;
}

// The commonest of floats. What is not told here, and NaNs, are rows.
static int DecodeFloat(Op* op, u32 word) {
  const u32 wide = word >> 22 & 1, rd = word & 31, rn = word >> 5 & 31, rm = word >> 16 & 31;
  if ((word & 0xffa0cc00) == 0x1e200800) {
    return Set(op, wide ? kFloatTwoD : kFloatTwoS, rd, rn, rm, RowOf(word), word);
  }
  if ((word & 0xffa0fc07) != 0x1e202000) return 0;
  return Set(op, kFloatCompare, 0, rn, rm, wide | (word >> 3 & 1) << 1, 0);
}

// `next` is the word behind it, or 0 where none stands in the same unit.
void Decode(Op* op, u32 word, u32 next, u64 pc) {
  int done = 0;
  switch (word >> 25 & 15) {
    case 8:
    case 9: done = DecodeImmediate(op, word, pc, next); break;
    case 10:
    case 11: done = DecodeBranch(op, word, pc); break;
    case 4:
    case 6:
    case 12:
    case 14: done = DecodeMemory(op, word, pc); break;
    case 5:
    case 13: done = DecodeRegister(op, word, next); break;
    case 15: done = DecodeFloat(op, word); break;
    default: break;
  }
  if (!done) Set(op, kSlow, 0, 0, 0, RowOf(word), word);
}
