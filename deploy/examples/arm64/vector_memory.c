// Loads and stores of vector registers.
#include "vector.h"

static void LoadVector(u32 rt, u64 address, u32 bytes) {
  Vector value = {{0, 0}};
  memcpy(&value, Guest(address, bytes), bytes);
  cpu.v[rt] = value;
}
static void StoreVector(u32 rt, u64 address, u32 bytes) {
  memcpy(Guest(address, bytes), &cpu.v[rt], bytes);
}

void ExecVectorLiteral(u32 word) {
  if (word >> 30 == 3) Undefined(word, slow_pc);
  LoadVector(word & 31, slow_pc + (u64)Signed(Bits(word, 5, 19) << 2, 21), 4u << (word >> 30));
}

void ExecVectorPair(u32 word) {
  const u32 opcode = word >> 30, bytes = 4u << opcode, mode = word >> 23 & 3, rn = word >> 5 & 31;
  if (opcode == 3) Undefined(word, slow_pc);
  const u64 moved = XSp(rn) + (u64)Signed(Bits(word, 15, 7), 7) * bytes,
            address = mode == 1 ? XSp(rn) : moved;
  if (word >> 22 & 1) {
    LoadVector(word & 31, address, bytes);
    LoadVector(word >> 10 & 31, address + bytes, bytes);
  } else {
    StoreVector(word & 31, address, bytes);
    StoreVector(word >> 10 & 31, address + bytes, bytes);
  }
  if (mode == 1 || mode == 3) cpu.x[rn] = moved;
}

static u64 Index(u32 word, u32 shift) {
  const u64 value = X(word >> 16 & 31);
  switch (Bits(word, 13, 3)) {
    case 2: return (u64)(u32)value << shift;
    case 6: return (u64)(i64)(i32)value << shift;
    default: return value << shift;
  }
}

void ExecVectorMemory(u32 word) {
  const u32 size = (word >> 23 & 1) << 2 | word >> 30, rn = word >> 5 & 31,
            mode = Bits(word, 10, 2);
  if (size > 4) Undefined(word, slow_pc);
  u64 address = XSp(rn), moved = address;
  int writes_back = 0;
  if (word >> 24 & 1) {
    address += (u64)Bits(word, 10, 12) << size;
  } else if (word >> 21 & 1) {
    if (mode != 2 || !(word >> 14 & 1)) Undefined(word, slow_pc);
    address += Index(word, word >> 12 & 1 ? size : 0);
  } else {
    moved += (u64)Signed(Bits(word, 12, 9), 9);
    if (mode != 1) address = moved;
    writes_back = mode & 1;
  }
  if (word >> 22 & 1) {
    LoadVector(word & 31, address, 1u << size);
  } else {
    StoreVector(word & 31, address, 1u << size);
  }
  if (writes_back) cpu.x[rn] = moved;
}

// What is added to Rn behind the access.
static u64 Advance(u32 word, u64 bytes) {
  if (!(word >> 23 & 1)) return 0;
  const u32 rm = word >> 16 & 31;
  return rm == 31 ? bytes : cpu.x[rm];
}

// Bytes from memory on, one element after the other of `registers` in turn (LD2 to LD4), or one
// register behind the other (LD1).
void ExecStructures(u32 word) {
  static const u8 kRegisters1[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
  const Form form = FormOf(word);
  const u32 opcode = Bits(word, 12, 4), count = opcode < 11 ? kRegisters1[opcode] : 0,
            loads = word >> 22 & 1;
  const u32 turns = opcode == 0 || opcode == 4 || opcode == 8, size = Bits(word, 10, 2),
            bytes = 8u << form.q;
  if (count == 0 || (turns && size == 3 && !form.q)) Undefined(word, slow_pc);
  const u64 address = XSp(form.rn);
  u8* const place = Guest(address, (u64)bytes * count);
  for (u32 i = 0; i < count; ++i) {
    Vector* const v = &cpu.v[(form.rd + i) & 31];
    if (loads) *v = (Vector){{0, 0}};
    for (u32 element = 0; element < bytes >> size; ++element) {
      u8* const at =
          place + (turns ? (element * count + i) << size : i * bytes + (element << size));
      if (loads) {
        memcpy(v->b + (element << size), at, 1u << size);
      } else {
        memcpy(at, v->b + (element << size), 1u << size);
      }
    }
  }
  cpu.x[form.rn] = address + Advance(word, (u64)bytes * count);
}

static void LoadToAll(Vector* v, const u8* at, u32 size, u32 q) {
  Vector result = {{0, 0}};
  for (u32 byte = 0; byte < 8u << q; ++byte) result.b[byte] = at[byte & ((1u << size) - 1)];
  *v = result;
}

void ExecOneStructure(u32 word) {
  const Form form = FormOf(word);
  const u32 opcode = Bits(word, 13, 3), loads = word >> 22 & 1,
            count = ((opcode & 1) << 1 | (word >> 21 & 1)) + 1;
  const u32 to_all = opcode >= 6, low = Bits(word, 10, 2);
  u32 size = opcode >> 1, index = form.q << 3 | Bits(word, 10, 3);
  if (to_all) {
    size = low;
    if (!loads || word >> 12 & 1) Undefined(word, slow_pc);
  } else if (size == 2 && (low & 1)) {
    size = 3;
  }
  if (!to_all &&
      ((size == 1 && (low & 1)) || (size >= 2 && (low & 2)) || (size == 3 && (index & 4)))) {
    Undefined(word, slow_pc);
  }
  index >>= size;
  const u64 address = XSp(form.rn);
  for (u32 i = 0; i < count; ++i) {
    Vector* const v = &cpu.v[(form.rd + i) & 31];
    u8* const at = Guest(address + ((u64)i << size), 1u << size);
    if (to_all) {
      LoadToAll(v, at, size, form.q);
    } else if (loads) {
      memcpy(v->b + (index << size), at, 1u << size);
    } else {
      memcpy(at, v->b + (index << size), 1u << size);
    }
  }
  cpu.x[form.rn] = address + Advance(word, (u64)count << size);
}
