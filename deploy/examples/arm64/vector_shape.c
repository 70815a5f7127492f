// Vectors: elements that change places, and constants.
#include "vector.h"

void ExecPermute(u32 word) {
  const Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 3), second = opcode >> 2, half = form.elements / 2;
  if ((opcode & 3) == 0 || form.elements == 1) Undefined(word, slow_pc);
  const Vector n = cpu.v[form.rn], m = cpu.v[form.rm];
  Vector result = {{0, 0}};
  for (u32 i = 0; i < form.elements; ++i) {
    u32 at;
    int of_m;
    switch (opcode & 3) {
      case 1: at = 2 * i % form.elements + second, of_m = i >= half; break;
      case 2: at = (i & ~1u) + second, of_m = i & 1; break;
      default: at = i / 2 + (second ? half : 0), of_m = i & 1; break;
    }
    SetElement(&result, form.size, i, Element(of_m ? &m : &n, form.size, at));
  }
  cpu.v[form.rd] = result;
}

void ExecExt(u32 word) {
  const Form form = FormOf(word);
  const u32 bytes = 8u << form.q, from = Bits(word, 11, 4);
  if (from >= bytes) Undefined(word, slow_pc);
  Vector result = {{0, 0}};
  for (u32 i = 0; i < bytes; ++i) {
    const u32 at = from + i;
    result.b[i] = at < bytes ? cpu.v[form.rn].b[at] : cpu.v[form.rm].b[at - bytes];
  }
  cpu.v[form.rd] = result;
}

void ExecTable(u32 word) {
  const Form form = FormOf(word);
  const u32 most = 16 * (Bits(word, 13, 2) + 1), keeps = word >> 12 & 1;
  Vector result = {{0, 0}};
  for (u32 i = 0; i < 8u << form.q; ++i) {
    const u32 at = cpu.v[form.rm].b[i];
    result.b[i] = at < most ? cpu.v[(form.rn + at / 16) & 31].b[at % 16]
                  : keeps   ? cpu.v[form.rd].b[i]
                            : 0;
  }
  cpu.v[form.rd] = result;
}

// The lowest bit that is set in `imm5` says the size, those above it the index.
static u32 SizeOf(u32 word) {
  const u32 imm5 = Bits(word, 16, 5) & 15;
  if (imm5 == 0) Undefined(word, slow_pc);
  return (u32)__builtin_ctz(imm5);
}

static void Duplicate(const Form* form, u64 value) {
  const u32 size = SizeOf(form->word);
  if (size == 3 && !form->q) Undefined(form->word, slow_pc);
  Vector result = {{0, 0}};
  for (u32 i = 0; i < (8u << form->q) >> size; ++i) SetElement(&result, size, i, value);
  cpu.v[form->rd] = result;
}

void ExecCopy(u32 word) {
  const Form form = FormOf(word);
  const u32 imm4 = Bits(word, 11, 4), size = SizeOf(word), index = Bits(word, 16, 5) >> (size + 1);
  if (form.u) {
    if (!form.q) Undefined(word, slow_pc);
    return SetElement(&cpu.v[form.rd], size, index, Element(&cpu.v[form.rn], size, imm4 >> size));
  }
  const u64 element = Element(&cpu.v[form.rn], size, index);
  switch (imm4) {
    case 0: return Duplicate(&form, element);
    case 1: return Duplicate(&form, X(form.rn));
    case 3:
      if (!form.q) break;
      return SetElement(&cpu.v[form.rd], size, index, X(form.rn));
    case 5:
      if (size == 3 || (size == 2 && !form.q)) break;
      return SetX(form.rd, (u64)Signed(element, 8u << size) & (form.q ? ~0ull : 0xffffffff));
    case 7:
      if ((size == 3) != form.q) break;
      return SetX(form.rd, element);
    default: break;
  }
  Undefined(word, slow_pc);
}

void ExecCopyScalar(u32 word) {
  const u32 size = SizeOf(word), index = Bits(word, 16, 5) >> (size + 1);
  cpu.v[word & 31] = (Vector){{Element(&cpu.v[word >> 5 & 31], size, index), 0}};
}

// What the modified immediates stand for.
static u64 Expanded(u32 word) {
  const u32 cmode = Bits(word, 12, 4), op = word >> 29 & 1;
  const u64 imm = Bits(word, 16, 3) << 5 | Bits(word, 5, 5);
  if (cmode < 8) return (imm << (cmode >> 1) * 8) * 0x100000001ull;
  if (cmode < 12) return (imm << (cmode >> 1 & 1) * 8) * 0x1000100010001ull;
  if (cmode == 12) return (imm << 8 | 0xff) * 0x100000001ull;
  if (cmode == 13) return (imm << 16 | 0xffff) * 0x100000001ull;
  if (cmode == 15)
    return op ? FloatOfImmediate((u32)imm, 1) : FloatOfImmediate((u32)imm, 0) * 0x100000001ull;
  if (!op) return imm * 0x101010101010101ull;
  u64 value = 0;
  for (u32 bit = 0; bit < 8; ++bit) value |= imm >> bit & 1 ? 0xffull << bit * 8 : 0;
  return value;
}

void ExecVectorImmediate(u32 word) {
  const u32 cmode = Bits(word, 12, 4), q = word >> 30 & 1, rd = word & 31;
  const u32 inverts = (word >> 29 & 1) && cmode < 14, combines = cmode < 12 && (cmode & 1);
  if (word >> 11 & 1 || (cmode == 15 && (word >> 29 & 1) && !q)) Undefined(word, slow_pc);
  u64 value = Expanded(word);
  if (inverts) value = ~value;
  for (u32 i = 0; i < 2; ++i) {
    const u64 old = cpu.v[rd].d[i];
    cpu.v[rd].d[i] = i > q ? 0 : !combines ? value : inverts ? old & value : old | value;
  }
}
