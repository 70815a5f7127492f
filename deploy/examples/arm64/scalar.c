// Instructions on one float, and moves between x and v registers.
#include "float.h"

static u64 Scalar(u32 n, u32 wide) { return wide ? cpu.v[n].d[0] : cpu.v[n].s[0]; }
static void SetScalar(u32 n, u64 value) {
  cpu.v[n].d[0] = value;
  cpu.v[n].d[1] = 0;
}
// The type of operands: f32 or f64; others end the program.
static u32 IsWide(u32 word) {
  const u32 type = Bits(word, 22, 2);
  if (type > 1) Undefined(word, slow_pc);
  return type;
}

void ExecFloatFixed(u32 word) {
  const u32 wide = IsWide(word), bits = word >> 31 ? 64 : 32, rd = word & 31, rn = word >> 5 & 31;
  const u32 fraction = 64 - Bits(word, 10, 6), what = Bits(word, 16, 5),
            is_signed = !(word >> 16 & 1);
  if (fraction > bits) Undefined(word, slow_pc);
  switch (what) {
    case 2:
    case 3: SetScalar(rd, FloatOfInteger(X(rn), wide, is_signed, bits, fraction)); break;
    case 24:
    case 25:
      SetX(rd, FloatToInteger(Scalar(rn, wide), wide, kToZero, is_signed, bits, fraction));
      break;
    default: Undefined(word, slow_pc);
  }
}

static void MoveScalar(u32 word) {
  const u32 is_64 = word >> 31, type = Bits(word, 22, 2), to_vector = word >> 16 & 1;
  const u32 rd = word & 31, rn = word >> 5 & 31;
  const u32 high = Bits(word, 19, 2) == 1;
  if ((high ? type != 2 || !is_64 : type != is_64) || Bits(word, 19, 2) > 1)
    Undefined(word, slow_pc);
  if (high && to_vector) {
    cpu.v[rd].d[1] = X(rn);
  } else if (high) {
    SetX(rd, cpu.v[rn].d[1]);
  } else if (to_vector) {
    SetScalar(rd, is_64 ? X(rn) : (u32)X(rn));
  } else {
    SetX(rd, Scalar(rn, is_64));
  }
}

void ExecFloatInteger(u32 word) {
  const u32 opcode = Bits(word, 16, 3), way = Bits(word, 19, 2), bits = word >> 31 ? 64 : 32;
  const u32 rd = word & 31, rn = word >> 5 & 31, is_signed = !(opcode & 1);
  if (opcode >= 6) return MoveScalar(word);
  const u32 wide = IsWide(word);
  if (opcode >= 2 && way != 0) Undefined(word, slow_pc);
  if (opcode == 2 || opcode == 3) {
    SetScalar(rd, FloatOfInteger(X(rn), wide, is_signed, bits, 0));
  } else {
    SetX(rd, FloatToInteger(Scalar(rn, wide), wide, opcode >= 4 ? kAway : way, is_signed, bits, 0));
  }
}

void ExecFloatOne(u32 word) {
  static const u8 kWays[8] = {kNearest, kUp, kDown, kToZero, kAway, 255, kNearest, kNearest};
  const u32 opcode = Bits(word, 15, 6), type = Bits(word, 22, 2), rd = word & 31;
  if (opcode >= 4 && opcode <= 7) {
    if (type == 2 || opcode == 6 || opcode - 4 == type) Undefined(word, slow_pc);
    const u64 value = type == 1   ? cpu.v[word >> 5 & 31].d[0]
                      : type == 3 ? cpu.v[word >> 5 & 31].h[0]
                                  : cpu.v[word >> 5 & 31].s[0];
    return SetScalar(rd, FloatConverted(value, type, opcode - 4));
  }
  const u32 wide = IsWide(word);
  const u64 value = Scalar(word >> 5 & 31, wide);
  switch (opcode) {
    case 0: return SetScalar(rd, value);
    case 1: return SetScalar(rd, value & Ones(wide ? 63 : 31));
    case 2: return SetScalar(rd, FloatNegated(value, wide));
    case 3: return SetScalar(rd, FloatRoot(value, wide));
    default:
      if (opcode < 8 || opcode > 15 || kWays[opcode - 8] == 255) Undefined(word, slow_pc);
      return SetScalar(rd, FloatRounded(value, kWays[opcode - 8], wide));
  }
}

void ExecFloatCompare(u32 word) {
  const u32 wide = IsWide(word);
  if (Bits(word, 14, 2) != 0 || (word & 7) != 0) Undefined(word, slow_pc);
  SetNzcv(
      FloatNzcv(Scalar(word >> 5 & 31, wide), word & 8 ? 0 : Scalar(word >> 16 & 31, wide), wide));
}

void ExecFloatImmediate(u32 word) {
  SetScalar(word & 31, FloatOfImmediate(Bits(word, 13, 8), IsWide(word)));
}

void ExecFloatConditional(u32 word) {
  const u32 wide = IsWide(word);
  if (!Holds(Bits(word, 12, 4))) return SetNzcv(word & 15);
  SetNzcv(FloatNzcv(Scalar(word >> 5 & 31, wide), Scalar(word >> 16 & 31, wide), wide));
}

void ExecFloatTwo(u32 word) {
  static const u8 kOperations[9] = {kFMul, kFDiv,    kFAdd,    kFSub, kFMax,
                                    kFMin, kFMaxNum, kFMinNum, kFMul};
  const u32 wide = IsWide(word), opcode = Bits(word, 12, 4);
  if (opcode > 8) Undefined(word, slow_pc);
  const u64 value = FloatBinary(kOperations[opcode], Scalar(word >> 5 & 31, wide),
                                Scalar(word >> 16 & 31, wide), wide);
  SetScalar(word & 31, opcode == 8 ? FloatNegated(value, wide) : value);
}

void ExecFloatSelect(u32 word) {
  const u32 wide = IsWide(word);
  SetScalar(word & 31, Scalar(Holds(Bits(word, 12, 4)) ? word >> 5 & 31 : word >> 16 & 31, wide));
}

void ExecFloatThree(u32 word) {
  const u32 wide = IsWide(word), negates = word >> 21 & 1, subtracts = word >> 15 & 1;
  u64 a = Scalar(word >> 5 & 31, wide), addend = Scalar(word >> 10 & 31, wide);
  if (negates != subtracts) a = FloatNegated(a, wide);
  if (negates) addend = FloatNegated(addend, wide);
  SetScalar(word & 31, FloatFused(addend, a, Scalar(word >> 16 & 31, wide), wide));
}
