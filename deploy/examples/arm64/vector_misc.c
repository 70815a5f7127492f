// Vectors: operations of one element, and shifts by constants.
#include "vector.h"

static u64 Mask(int holds) { return holds ? ~0ull : 0; }

static u64 LeadingZeros(u64 value, u32 size) {
  value &= Ones(8u << size);
  return value == 0 ? 8u << size : (u64)__builtin_clzll(value) - (64 - (8u << size));
}
static u64 AbsoluteSaturated(u64 a, u32 size, int negates) {
  const i64 x = Number(a, size, 0), least = (i64)(~0ull << ((8u << size) - 1));
  if (!negates && x >= 0) return a;
  return x == least ? Ones((8u << size) - 1) : -a;
}
// SUQADD, USQADD: what is added has the other sign.
static u64 SumOfOtherSign(u64 a, u64 d, u32 size, u32 u) {
  if (size < 3) return Saturated(Number(d, size, u) + Number(a, size, !u), 8u << size, !u);
  const u64 sum = d + a;
  if (u) return (i64)a >= 0 ? (sum < d ? ~0ull : sum) : (sum > d ? 0 : sum);
  return (i64)d < 0         ? sum >> 63 || a >> 63 || sum < a
                                  ? ((i64)sum > (i64)d || sum == d ? sum : Ones(63))
                                  : sum
         : a > Ones(63) - d ? Ones(63)
                            : sum;
}

// The opcode with U above it.
static u64 Misc(u32 opcode, u32 size, u64 a, u64 d, int* known) {
  const i64 x = Number(a, size, 0);
  switch (opcode) {
    case 0x03: return SumOfOtherSign(a, d, size, 0);
    case 0x23: return SumOfOtherSign(a, d, size, 1);
    case 0x04: return LeadingZeros((u64)(x ^ x >> 63), size) - 1;
    case 0x24: return LeadingZeros(a, size);
    case 0x05: return (u64)__builtin_popcountll(a);
    case 0x07: return AbsoluteSaturated(a, size, 0);
    case 0x27: return AbsoluteSaturated(a, size, 1);
    case 0x08: return Mask(x > 0);
    case 0x28: return Mask(x >= 0);
    case 0x09: return Mask(x == 0);
    case 0x29: return Mask(x <= 0);
    case 0x0a: return Mask(x < 0);
    case 0x0b: return (u64)(x < 0 ? -x : x);
    case 0x2b: return -a;
    default: *known = 0; return 0;
  }
}

// The opcode with bit 23 and U above it.
static u64 MiscFloat(u32 opcode, u64 a, u32 wide, int* known) {
  const u32 flags = FloatNzcv(a, 0, wide), bits = wide ? 64 : 32;
  switch (opcode) {
    case 0x2c: return Mask(flags == 2);
    case 0x2d: return Mask(flags == 6);
    case 0x2e: return Mask(flags == 8);
    case 0x6c: return Mask((flags & 3) == 2);
    case 0x6d: return Mask(flags == 8 || flags == 6);
    case 0x2f: return a & Ones(bits - 1);
    case 0x6f: return FloatNegated(a, wide);
    case 0x18:
    case 0x59:
    case 0x79: return FloatRounded(a, kNearest, wide);
    case 0x38: return FloatRounded(a, kUp, wide);
    case 0x19: return FloatRounded(a, kDown, wide);
    case 0x39: return FloatRounded(a, kToZero, wide);
    case 0x58: return FloatRounded(a, kAway, wide);
    case 0x1a:
    case 0x5a: return FloatToInteger(a, wide, kNearest, opcode < 0x40, bits, 0);
    case 0x1b:
    case 0x5b: return FloatToInteger(a, wide, kDown, opcode < 0x40, bits, 0);
    case 0x1c:
    case 0x5c: return FloatToInteger(a, wide, kAway, opcode < 0x40, bits, 0);
    case 0x3a:
    case 0x7a: return FloatToInteger(a, wide, kUp, opcode < 0x40, bits, 0);
    case 0x3b:
    case 0x7b: return FloatToInteger(a, wide, kToZero, opcode < 0x40, bits, 0);
    case 0x3c:
    case 0x7c:
      if (wide) *known = 0;
      return IntegerEstimate((u32)a, opcode >> 6);
    case 0x1d:
    case 0x5d: return FloatOfInteger(a, wide, opcode < 0x40, bits, 0);
    case 0x3d: return FloatReciprocal(a, wide);
    case 0x7d: return FloatRootReciprocal(a, wide);
    case 0x3f: return FloatExponentReciprocal(a, wide);
    case 0x7f: return FloatRoot(a, wide);
    default: *known = 0; return 0;
  }
}

static u64 ReversedBits(u64 byte) {
  u64 result = 0;
  for (u32 bit = 0; bit < 8; ++bit) result |= (byte >> bit & 1) << (7 - bit);
  return result;
}

// REV64, REV32, REV16: elements of `size` change places within `group`.
static void Reverse(const Form* form, u32 group) {
  if (form->size >= group) Undefined(form->word, slow_pc);
  Vector result = {{0, 0}};
  const u32 turn = (1u << (group - form->size)) - 1;
  for (u32 i = 0; i < form->elements; ++i) {
    SetElement(&result, form->size, i, Element(&cpu.v[form->rn], form->size, i ^ turn));
  }
  cpu.v[form->rd] = result;
}

static void AddPairsLong(const Form* form, u32 accumulates) {
  if (form->size == 3) Undefined(form->word, slow_pc);
  const u32 size = form->size;
  Vector result = {{0, 0}};
  for (u32 i = 0; i < form->elements / 2; ++i) {
    const i64 sum = Number(Element(&cpu.v[form->rn], size, 2 * i), size, form->u) +
                    Number(Element(&cpu.v[form->rn], size, 2 * i + 1), size, form->u);
    SetElement(&result, size + 1, i,
               (u64)sum + (accumulates ? Element(&cpu.v[form->rd], size + 1, i) : 0));
  }
  cpu.v[form->rd] = result;
}

// Half of the bits of each element, `wider` the size before; the upper half of Rd where Q says so.
static void SetNarrowed(const Form* form, u32 size, u32 count, const u64* values) {
  Vector result = cpu.v[form->rd];
  const u32 upper = form->q && !form->scalar;
  if (!upper) result = (Vector){{0, 0}};
  for (u32 i = 0; i < count; ++i) SetElement(&result, size, i + (upper ? count : 0), values[i]);
  if (!upper) result.d[1] = 0;
  cpu.v[form->rd] = result;
}

static u64 Narrowed(u32 opcode, u64 wide, u32 size, u32 u) {
  const u32 bits = 8u << size;
  if (opcode == 0x12 && !u) return wide;
  if (opcode == 0x12) return Saturated(Number(wide, size + 1, 0), bits, 0);
  if (!u) return Saturated(Number(wide, size + 1, 0), bits, 1);
  return wide > Ones(bits) ? Ones(bits) : wide;
}

static void Narrow(const Form* form, u32 opcode) {
  if (form->size == 3 || (form->scalar && opcode == 0x12 && !form->u))
    Undefined(form->word, slow_pc);
  const u32 count = form->scalar ? 1 : 8u >> form->size;
  u64 values[8];
  for (u32 i = 0; i < count; ++i) {
    values[i] = Narrowed(opcode, Element(&cpu.v[form->rn], form->size + 1, i), form->size, form->u);
  }
  SetNarrowed(form, form->size, count, values);
}

static void ShiftLong(const Form* form, u32 shift, u32 is_unsigned) {
  const u32 count = 8u >> form->size;
  const Vector n = cpu.v[form->rn];
  for (u32 i = 0; i < count; ++i) {
    const u64 a = Element(&n, form->size, i + (form->q ? count : 0));
    SetElement(&cpu.v[form->rd], form->size + 1, i,
               (u64)Number(a, form->size, is_unsigned) << shift);
  }
}

// FCVTL, FCVTN: bit 22 says whether the narrow type is f32 or f16.
static void ConvertFloats(const Form* form, u32 lengthens) {
  const u32 size = 1 + (form->size & 1), narrow = size == 2 ? 0 : 3, wide = size == 2 ? 1 : 0,
            count = 8u >> size;
  if (form->size & 2 || form->u || form->scalar) Undefined(form->word, slow_pc);
  const Vector n = cpu.v[form->rn];
  u64 values[8];
  for (u32 i = 0; i < count; ++i) {
    const u64 a = Element(&n, lengthens ? size : size + 1, lengthens && form->q ? i + count : i);
    values[i] = FloatConverted(a, lengthens ? narrow : wide, lengthens ? wide : narrow);
  }
  if (!lengthens) return SetNarrowed(form, size, count, values);
  for (u32 i = 0; i < count; ++i) SetElement(&cpu.v[form->rd], size + 1, i, values[i]);
}

// FCVTXN
static void NarrowToOdd(const Form* form) {
  const u32 count = form->scalar ? 1 : 2;
  u64 values[2];
  if (form->size != 1) Undefined(form->word, slow_pc);
  for (u32 i = 0; i < count; ++i) values[i] = FloatToOdd(cpu.v[form->rn].d[i]);
  SetNarrowed(form, 2, count, values);
}

static int IsBitwise(u32 opcode, Form* form) {
  if (opcode != 5 || !form->u || form->size > 1 || form->scalar) return 0;
  Vector result = {{0, 0}};
  for (u32 i = 0; i < 8u << form->q; ++i) {
    const u8 byte = cpu.v[form->rn].b[i];
    result.b[i] = form->size == 0 ? (u8)~byte : (u8)ReversedBits(byte);
  }
  cpu.v[form->rd] = result;
  return 1;
}

// Those whose results have another form than their operands. Returns whether it was one.
static int ExecShapes(Form* form, u32 opcode) {
  if (IsBitwise(opcode, form)) return 1;
  if (opcode == 0x16 && form->u) {
    NarrowToOdd(form);
    return 1;
  }
  if (form->scalar && opcode != 0x12 && opcode != 0x14) return 0;
  switch (opcode) {
    case 0x00: Reverse(form, form->u ? 2 : 3); return 1;
    case 0x01: Reverse(form, form->u ? 0 : 1); return 1;
    case 0x02: AddPairsLong(form, 0); return 1;
    case 0x06: AddPairsLong(form, 1); return 1;
    case 0x12:
    case 0x14: Narrow(form, opcode); return 1;
    case 0x13:
      if (!form->u || form->size == 3) Undefined(form->word, slow_pc);
      ShiftLong(form, 8u << form->size, 1);
      return 1;
    case 0x16: ConvertFloats(form, 0); return 1;
    case 0x17: ConvertFloats(form, 1); return 1;
    default: return 0;
  }
}

static int IsFloatMisc(u32 opcode, u32 size) {
  return opcode >= 0x18 || (size >= 2 && opcode >= 0x0c && opcode <= 0x0f);
}

void ExecTwoMisc(u32 word) {
  Form form = FormOf(word);
  u32 opcode = Bits(word, 12, 5);
  if (ExecShapes(&form, opcode)) return;
  const u32 is_float = IsFloatMisc(opcode, form.size), wide = form.size & 1;
  if (is_float) {
    opcode |= (form.size & 2) << 4 | form.u << 6;
    form.size = 2 + wide;
    form.elements = form.scalar ? 1 : (8u << form.q) >> form.size;
  } else {
    opcode |= form.u << 5;
  }
  if (form.elements == 0 || (!form.scalar && !form.q && form.size == 3)) Undefined(word, slow_pc);
  int known = opcode != 5 || form.size == 0;
  Vector result = {{0, 0}};
  for (u32 i = 0; i < form.elements; ++i) {
    const u64 a = Element(&cpu.v[form.rn], form.size, i),
              d = Element(&cpu.v[form.rd], form.size, i);
    SetElement(
        &result, form.size, i,
        is_float ? MiscFloat(opcode, a, wide, &known) : Misc(opcode, form.size, a, d, &known));
  }
  if (!known || (opcode == 0x3f && !form.scalar)) Undefined(word, slow_pc);
  cpu.v[form.rd] = result;
}

static void ShiftNarrow(const Form* form, u32 opcode, u32 shift) {
  const u32 rounds = opcode & 1, saturates = opcode >= 0x12 || form->u,
            from_signed = opcode < 0x12 || !form->u;
  const u32 count = form->scalar ? 1 : 8u >> form->size;
  if (form->size == 3 || (form->scalar && !saturates)) Undefined(form->word, slow_pc);
  u64 values[8];
  for (u32 i = 0; i < count; ++i) {
    const u64 a = Element(&cpu.v[form->rn], form->size + 1, i);
    const u64 shifted = Shifted(a, -(i32)shift, form->size + 1, !from_signed, rounds ? kRounds : 0);
    // SQSHRUN is 0x10 with U: signed operands, unsigned results.
    const u64 plain = from_signed ? Saturated((i64)shifted, 8u << form->size, opcode >= 0x12)
                      : shifted > Ones(8u << form->size) ? Ones(8u << form->size)
                                                         : shifted;
    values[i] = saturates ? plain : shifted;
  }
  SetNarrowed(form, form->size, count, values);
}

// The opcode with U above it; `up` and `down` are what the encoding means as a shift to the left
// and right.
static u64 ShiftedBy(u32 opcode, const Form* form, u64 a, u64 d, u32 up, u32 down, int* known) {
  const u32 size = form->size, u = form->u, bits = 8u << size;
  const i32 right = -(i32)down;
  switch (opcode & 31) {
    case 0x00: return Shifted(a, right, size, u, 0);
    case 0x02: return d + Shifted(a, right, size, u, 0);
    case 0x04: return Shifted(a, right, size, u, kRounds);
    case 0x06: return d + Shifted(a, right, size, u, kRounds);
    case 0x0e: return Shifted(a, (i32)up, size, u, kSaturates);
    default: break;
  }
  switch (opcode) {
    case 0x28:
      return (d & ~(Ones(bits) >> down & (down == 64 ? 0 : ~0ull))) | Shifted(a, right, size, 1, 0);
    case 0x0a: return a << up;
    case 0x2a: return (d & Ones(up) & (up == 0 ? 0 : ~0ull)) | a << up;
    case 0x2c: return Shifted(a, (i32)up, size, 0, kSaturates | kToUnsigned);
    case 0x1c:
    case 0x3c: return FloatOfInteger(a, size == 3, !u, bits, down);
    case 0x1f:
    case 0x3f: return FloatToInteger(a, size == 3, kToZero, !u, bits, down);
    default: *known = 0; return 0;
  }
}

void ExecShiftImmediate(u32 word) {
  Form form = FormOf(word);
  const u32 immh = Bits(word, 19, 4), immediate = Bits(word, 16, 7), opcode = Bits(word, 11, 5);
  if (immh == 0) Undefined(word, slow_pc);
  form.size = 31 - (u32)__builtin_clz(immh);
  form.elements = form.scalar ? 1 : (8u << form.q) >> form.size;
  const u32 up = immediate - (8u << form.size), down = (16u << form.size) - immediate;
  if (opcode >= 0x10 && opcode < 0x14) return ShiftNarrow(&form, opcode, down);
  if (opcode == 0x14) {
    if (form.size == 3 || form.scalar) Undefined(word, slow_pc);
    return ShiftLong(&form, up, form.u);
  }
  int known = form.elements != 0 && (form.scalar || form.q || form.size != 3);
  if (opcode >= 0x1c && form.size < 2) known = 0;
  if (form.scalar && opcode != 0x0e && opcode != 0x0c && opcode < 0x1c && form.size != 3) known = 0;
  Vector result = {{0, 0}};
  for (u32 i = 0; i < form.elements && known; ++i) {
    const u64 a = Element(&cpu.v[form.rn], form.size, i),
              d = Element(&cpu.v[form.rd], form.size, i);
    SetElement(&result, form.size, i,
               ShiftedBy(opcode | form.u << 5, &form, a, d, up, down, &known));
  }
  if (!known) Undefined(word, slow_pc);
  cpu.v[form.rd] = result;
}
