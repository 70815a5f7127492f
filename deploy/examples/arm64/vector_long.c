// Vectors: results of twice the bits, and operations with one element of a register.
#include "vector.h"

// Opcodes as in the instruction, of elements of `size`; `d` has twice the bits, and so has the
// result.
static u64 Long(u32 opcode, u64 a, u64 b, u64 d, u32 size, u32 u, int* known) {
  const i64 x = Number(a, size, u), y = Number(b, size, u);
  const u64 distance = (u64)(x > y ? x - y : y - x), product = (u64)x * (u64)y;
  const u32 saturates = opcode == 9 || opcode == 11 || opcode == 13;
  if (saturates && (u || size == 0)) *known = 0;
  switch (opcode) {
    case 0: return (u64)(x + y);
    case 2: return (u64)(x - y);
    case 5: return d + distance;
    case 7: return distance;
    case 8: return d + product;
    case 9: return SumSaturated(d, (u64)DoubledProduct(a, b, size), size + 1, 0, 0);
    case 10: return d - product;
    case 11: return SumSaturated(d, (u64)DoubledProduct(a, b, size), size + 1, 0, 1);
    case 12: return product;
    case 13: return (u64)DoubledProduct(a, b, size);
    case 14:
      if (size != 0 || u) *known = 0;
      return CarrylessProduct(a, b);
    default: *known = 0; return 0;
  }
}

// ADDW, SUBW: the first operand has twice the bits.
static u64 Wide(const Form* form, u32 opcode, u64 a, u64 b) {
  const i64 y = Number(b, form->size, form->u);
  return opcode == 1 ? a + (u64)y : a - (u64)y;
}

// ADDHN, SUBHN: the upper halves of sums.
static void HighNarrow(const Form* form, u32 opcode) {
  const u32 size = form->size, bits = 8u << size, count = 8u >> size;
  const Vector n = cpu.v[form->rn], m = cpu.v[form->rm];
  Vector result = cpu.v[form->rd];
  if (!form->q) result = (Vector){{0, 0}};
  for (u32 i = 0; i < count; ++i) {
    const u64 a = Element(&n, size + 1, i), b = Element(&m, size + 1, i);
    const u64 sum = (opcode == 4 ? a + b : a - b) + (form->u ? 1ull << (bits - 1) : 0);
    SetElement(&result, size, i + (form->q ? count : 0), sum >> bits);
  }
  cpu.v[form->rd] = result;
}

void ExecThreeDifferent(u32 word) {
  const Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 4), size = form.size,
            saturates = opcode == 9 || opcode == 11 || opcode == 13;
  if (size == 3 || (form.scalar && !saturates)) Undefined(word, slow_pc);
  if (opcode == 4 || opcode == 6) return HighNarrow(&form, opcode);
  const u32 count = form.scalar ? 1 : 8u >> size, from = form.q && !form.scalar ? count : 0;
  const Vector n = cpu.v[form.rn], m = cpu.v[form.rm];
  Vector result = {{0, 0}};
  int known = 1;
  for (u32 i = 0; i < count; ++i) {
    const u64 b = Element(&m, size, i + from), d = Element(&cpu.v[form.rd], size + 1, i);
    const u64 value = opcode == 1 || opcode == 3
                          ? Wide(&form, opcode, Element(&n, size + 1, i), b)
                          : Long(opcode, Element(&n, size, i + from), b, d, size, form.u, &known);
    SetElement(&result, size + 1, i, value);
  }
  if (!known) Undefined(word, slow_pc);
  cpu.v[form.rd] = result;
}

static u64 ElementOperand(const Form* form, u32 size) {
  const u32 word = form->word, h = word >> 11 & 1, l = word >> 21 & 1, m = word >> 20 & 1;
  if (size == 1) return cpu.v[form->rm & 15].h[h << 2 | l << 1 | m];
  if (size == 2) return cpu.v[form->rm].s[h << 1 | l];
  return cpu.v[form->rm].d[h];
}

static u64 FloatByElement(u32 opcode, u32 u, u64 a, u64 b, u64 d, u32 wide, int* known) {
  if (u && opcode != 9) *known = 0;
  switch (opcode) {
    case 1: return FloatFused(d, a, b, wide);
    case 5: return FloatFused(d, FloatNegated(a, wide), b, wide);
    default: return FloatBinary(u ? kFMulX : kFMul, a, b, wide);
  }
}

static u64 IntegerByElement(u32 opcode, const Form* form, u64 a, u64 b, u64 d, int* known) {
  switch (opcode | form->u << 4) {
    case 8: return a * b;
    case 16: return d + a * b;
    case 20: return d - a * b;
    case 12: return HighDoubled(a, b, form->size, 0);
    case 13: return HighDoubled(a, b, form->size, 1);
    default: *known = 0; return 0;
  }
}

static void LongByElement(const Form* form, u32 opcode, u64 b) {
  // 2, 3, 6, 7, 10, 11 are 8, 9, 10, 11, 12, 13 among the long ones.
  const u32 among = 8 + (opcode >> 2) * 2 + (opcode & 1), size = form->size;
  const u32 count = form->scalar ? 1 : 8u >> size, from = form->q && !form->scalar ? count : 0;
  if (form->scalar && !(opcode & 1)) Undefined(form->word, slow_pc);
  Vector result = {{0, 0}};
  int known = 1;
  for (u32 i = 0; i < count; ++i) {
    const u64 a = Element(&cpu.v[form->rn], size, i + from),
              d = Element(&cpu.v[form->rd], size + 1, i);
    SetElement(&result, size + 1, i, Long(among, a, b, d, size, form->u, &known));
  }
  if (!known) Undefined(form->word, slow_pc);
  cpu.v[form->rd] = result;
}

void ExecByElement(u32 word) {
  Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 4), is_float = opcode == 1 || opcode == 5 || opcode == 9;
  if (is_float ? form.size < 2 : form.size == 0 || form.size == 3) Undefined(word, slow_pc);
  if (form.size == 3 && ((word >> 21 & 1) || (!form.q && !form.scalar))) Undefined(word, slow_pc);
  const u64 b = ElementOperand(&form, form.size);
  if (!is_float && opcode < 12 && (opcode & 2)) return LongByElement(&form, opcode, b);
  if (form.scalar && !is_float && opcode < 12) Undefined(word, slow_pc);
  Vector result = {{0, 0}};
  int known = 1;
  for (u32 i = 0; i < form.elements; ++i) {
    const u64 a = Element(&cpu.v[form.rn], form.size, i),
              d = Element(&cpu.v[form.rd], form.size, i);
    SetElement(&result, form.size, i,
               is_float ? FloatByElement(opcode, form.u, a, b, d, form.size == 3, &known)
                        : IntegerByElement(opcode, &form, a, b, d, &known));
  }
  if (!known) Undefined(word, slow_pc);
  cpu.v[form.rd] = result;
}
