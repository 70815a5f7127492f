// Vectors: operations of two elements (three registers of one kind), and pairwise ones.
#include "vector.h"

static u64 Mask(int holds) { return holds ? ~0ull : 0; }

static u64 Logical(const Form* form, u64 a, u64 b, u64 d) {
  switch (form->u << 2 | form->size) {
    case 0: return a & b;
    case 1: return a & ~b;
    case 2: return a | b;
    case 3: return a | ~b;
    case 4: return a ^ b;
    case 5: return (a & d) | (b & ~d);
    case 6: return (a & b) | (d & ~b);
    default: return (a & ~b) | (d & b);
  }
}

static u64 Extreme(u64 a, u64 b, u32 size, u32 is_unsigned, int most) {
  const int above = is_unsigned ? a > b : Number(a, size, 0) > Number(b, size, 0);
  return above == most ? a : b;
}
static u64 Distance(u64 a, u64 b, u32 size, u32 u) {
  return Extreme(a, b, size, u, 1) - Extreme(a, b, size, u, 0);
}
static int IsLeast(u64 a, u64 b, u32 size, u32 u) {  // a >= b
  return u ? a >= b : Number(a, size, 0) >= Number(b, size, 0);
}

// Opcodes as in the instruction. Returns 0 in `*known` for one that is none.
static u64 Same(const Form* form, u32 opcode, u64 a, u64 b, u64 d, int* known) {
  const u32 size = form->size, u = form->u;
  const i64 x = Number(a, size, u), y = Number(b, size, u);
  switch (opcode) {
    case 0x00: return (u64)((x + y) >> 1);
    case 0x01: return SumSaturated(a, b, size, u, 0);
    case 0x02: return (u64)((x + y + 1) >> 1);
    case 0x04: return (u64)((x - y) >> 1);
    case 0x05: return SumSaturated(a, b, size, u, 1);
    case 0x06: return Mask(!IsLeast(b, a, size, u));
    case 0x07: return Mask(IsLeast(a, b, size, u));
    case 0x08: return Shifted(a, (i8)b, size, u, 0);
    case 0x09: return Shifted(a, (i8)b, size, u, kSaturates);
    case 0x0a: return Shifted(a, (i8)b, size, u, kRounds);
    case 0x0b: return Shifted(a, (i8)b, size, u, kRounds | kSaturates);
    case 0x0c:
    case 0x14: return Extreme(a, b, size, u, 1);
    case 0x0d:
    case 0x15: return Extreme(a, b, size, u, 0);
    case 0x0e: return Distance(a, b, size, u);
    case 0x0f: return d + Distance(a, b, size, u);
    case 0x10: return u ? a - b : a + b;
    case 0x11: return Mask(u ? a == b : (a & b) != 0);
    case 0x12: return u ? d - a * b : d + a * b;
    case 0x13: return u ? CarrylessProduct(a, b) : a * b;
    case 0x16: return HighDoubled(a, b, size, u);
    case 0x17: return a + b;
    default: *known = 0; return 0;
  }
}

// The opcode with bit 23 and U above it.
static u64 SameFloat(u32 opcode, u64 a, u64 b, u64 d, u32 wide, int* known) {
  const u64 absolute = Ones(wide ? 63 : 31);
  switch (opcode) {
    case 0x18:
    case 0x58: return FloatBinary(kFMaxNum, a, b, wide);
    case 0x38:
    case 0x78: return FloatBinary(kFMinNum, a, b, wide);
    case 0x19: return FloatFused(d, a, b, wide);
    case 0x39: return FloatFused(d, FloatNegated(a, wide), b, wide);
    case 0x1a:
    case 0x5a: return FloatBinary(kFAdd, a, b, wide);
    case 0x3a: return FloatBinary(kFSub, a, b, wide);
    case 0x1b: return FloatBinary(kFMulX, a, b, wide);
    case 0x1c: return Mask(FloatNzcv(a, b, wide) == 6);
    case 0x1e:
    case 0x5e: return FloatBinary(kFMax, a, b, wide);
    case 0x3e:
    case 0x7e: return FloatBinary(kFMin, a, b, wide);
    case 0x1f: return FloatStep(a, b, 0, wide);
    case 0x3f: return FloatStep(a, b, 1, wide);
    case 0x5b: return FloatBinary(kFMul, a, b, wide);
    case 0x5c: return Mask((FloatNzcv(a, b, wide) & 3) == 2);
    case 0x5d: return Mask((FloatNzcv(a & absolute, b & absolute, wide) & 3) == 2);
    case 0x5f: return FloatBinary(kFDiv, a, b, wide);
    case 0x7a: return FloatBinary(kFSub, a, b, wide) & absolute;
    case 0x7c: return Mask(FloatNzcv(a, b, wide) == 2);
    case 0x7d: return Mask(FloatNzcv(a & absolute, b & absolute, wide) == 2);
    default: *known = 0; return 0;
  }
}

static int IsPairwise(u32 opcode) {
  return opcode == 0x14 || opcode == 0x15 || opcode == 0x17 || opcode == 0x58 || opcode == 0x78 ||
         opcode == 0x5a || opcode == 0x5e || opcode == 0x7e;
}

void ExecThreeSame(u32 word) {
  Form form = FormOf(word);
  u32 opcode = Bits(word, 11, 5);
  const Vector n = cpu.v[form.rn], m = cpu.v[form.rm];
  Vector result = {{0, 0}};
  const u32 is_float = opcode >= 0x18, wide = form.size & 1, is_logical = opcode == 3;
  if (is_float) {
    opcode |= (form.size >> 1) << 5 | form.u << 6;
    form.size = 2 + wide;
    form.elements = form.scalar ? 1 : (8u << form.q) >> form.size;
  }
  if (is_logical) form.elements = form.scalar ? 0 : 1 + form.q;
  if (form.elements == 0 || (form.scalar && IsPairwise(opcode))) Undefined(word, slow_pc);
  if (!form.scalar && !form.q && form.size == 3 && !is_logical) Undefined(word, slow_pc);
  int known = 1;
  for (u32 i = 0; i < form.elements; ++i) {
    const u32 size = is_logical ? 3 : form.size;
    u64 a = Element(&n, size, i), b = Element(&m, size, i);
    if (IsPairwise(opcode)) {
      const u32 at = 2 * i;
      const Vector* from = at < form.elements ? &n : &m;
      a = Element(from, size, at % form.elements);
      b = Element(from, size, at % form.elements + 1);
    }
    const u64 d = Element(&cpu.v[form.rd], size, i);
    SetElement(&result, size, i,
               is_logical ? Logical(&form, a, b, d)
               : is_float ? SameFloat(opcode, a, b, d, wide, &known)
                          : Same(&form, opcode, a, b, d, &known));
  }
  if (!known) Undefined(word, slow_pc);
  cpu.v[form.rd] = result;
}

// The elements of a register become one: the halves of the halves first.
static u64 Reduced(const Vector* v, const Form* form, u32 opcode, u32 from, u32 count, int* known) {
  if (count == 1) return Element(v, form->size, from);
  const u64 a = Reduced(v, form, opcode, from, count / 2, known);
  const u64 b = Reduced(v, form, opcode, from + count / 2, count / 2, known);
  switch (opcode) {
    case 0x0a: return Extreme(a, b, form->size, form->u, 1);
    case 0x1a: return Extreme(a, b, form->size, form->u, 0);
    case 0x1b: return (a + b) & Ones(8u << form->size);
    default: break;
  }
  const u32 least = form->word >> 23 & 1, wide = form->size == 3;
  switch (opcode) {
    case 0x0c: return FloatBinary(least ? kFMinNum : kFMaxNum, a, b, wide);
    case 0x0d: return FloatBinary(kFAdd, a, b, wide);
    case 0x0f: return FloatBinary(least ? kFMin : kFMax, a, b, wide);
    default: *known = 0; return 0;
  }
}

static void Reduce(Form* form, u32 opcode) {
  int known = 1;
  const u64 value = Reduced(&cpu.v[form->rn], form, opcode, 0, form->elements, &known);
  if (!known) Undefined(form->word, slow_pc);
  cpu.v[form->rd] = (Vector){{value, 0}};
}

void ExecAcross(u32 word) {
  Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 5);
  const u32 is_float = opcode == 0x0c || opcode == 0x0f;
  if (is_float) {
    if (!form.u || (form.size & 1) || !form.q) Undefined(word, slow_pc);
    form.size = 2;
    form.elements = 4;
  }
  if (form.size == 3 || form.elements < 4) Undefined(word, slow_pc);
  if (opcode != 3) return Reduce(&form, opcode);
  u64 sum = 0;
  for (u32 i = 0; i < form.elements; ++i)
    sum += (u64)Number(Element(&cpu.v[form.rn], form.size, i), form.size, form.u);
  cpu.v[form.rd] = (Vector){{sum & Ones(16u << form.size), 0}};
}

void ExecPairScalar(u32 word) {
  Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 5), sums = opcode == 0x1b && form.size == 3 && !form.u;
  const u32 is_float = form.u && (opcode == 0x0c || opcode == 0x0d || opcode == 0x0f);
  if (!sums && !is_float) Undefined(word, slow_pc);
  if (is_float) form.size = 2 + (form.size & 1);
  form.elements = 2;
  Reduce(&form, opcode);
}
