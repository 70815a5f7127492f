// ---- integers: i32 is uint, i64 is ulong. Unsigned arithmetic, masked shifts. Every function is
// defined for all inputs; where the operator traps, its *_check comes first and names the trap.

static inline uint wb_i32_eqz(uint a) { return (uint)(a == 0u); }
static inline uint wb_i32_eq(uint a, uint b) { return (uint)(a == b); }
static inline uint wb_i32_ne(uint a, uint b) { return (uint)(a != b); }
static inline uint wb_i32_lt_u(uint a, uint b) { return (uint)(a < b); }
static inline uint wb_i32_gt_u(uint a, uint b) { return (uint)(a > b); }
static inline uint wb_i32_le_u(uint a, uint b) { return (uint)(a <= b); }
static inline uint wb_i32_ge_u(uint a, uint b) { return (uint)(a >= b); }
static inline uint wb_i32_lt_s(uint a, uint b) { return (uint)(as_type<int>(a) < as_type<int>(b)); }
static inline uint wb_i32_gt_s(uint a, uint b) { return (uint)(as_type<int>(a) > as_type<int>(b)); }
static inline uint wb_i32_le_s(uint a, uint b) {
  return (uint)(as_type<int>(a) <= as_type<int>(b));
}
static inline uint wb_i32_ge_s(uint a, uint b) {
  return (uint)(as_type<int>(a) >= as_type<int>(b));
}

static inline uint wb_i32_add(uint a, uint b) { return a + b; }
static inline uint wb_i32_sub(uint a, uint b) { return a - b; }
static inline uint wb_i32_mul(uint a, uint b) { return a * b; }
static inline uint wb_i32_and(uint a, uint b) { return a & b; }
static inline uint wb_i32_or(uint a, uint b) { return a | b; }
static inline uint wb_i32_xor(uint a, uint b) { return a ^ b; }
static inline uint wb_i32_shl(uint a, uint b) { return a << (b & 31u); }
static inline uint wb_i32_shr_u(uint a, uint b) { return a >> (b & 31u); }
static inline uint wb_i32_shr_s(uint a, uint b) {
  return as_type<uint>(as_type<int>(a) >> (b & 31u));
}
static inline uint wb_i32_rotl(uint a, uint b) {
  return (a << (b & 31u)) | (a >> ((0u - b) & 31u));
}
static inline uint wb_i32_rotr(uint a, uint b) {
  return (a >> (b & 31u)) | (a << ((0u - b) & 31u));
}

static inline uint wb_i32_clz(uint a) { return a == 0u ? 32u : metal::clz(a); }
static inline uint wb_i32_ctz(uint a) { return a == 0u ? 32u : metal::ctz(a); }
static inline uint wb_i32_popcnt(uint a) { return metal::popcount(a); }

static inline uint wb_i32_div_u_check(uint, uint b) {
  return b == 0u ? WB_TRAP_DIVIDE_BY_ZERO : 0u;
}
static inline uint wb_i32_div_s_check(uint a, uint b) {
  if (b == 0u) {
    return WB_TRAP_DIVIDE_BY_ZERO;
  }
  return a == 0x80000000u && b == 0xffffffffu ? WB_TRAP_INTEGER_OVERFLOW : 0u;
}
// `a`, hidden from the compiler. NVIDIA's (ptxas of CUDA 13.0 at -O1 to -O3) mixes up the bits of 1.0
// as f32 and -1: where a branch on a comparison of floats chooses between the two words, the other
// one comes out. Found by fuzzing; tests/fuzz/cases/one_or_minus_one.wat.
static inline uint wb_hidden(uint a) { return metal::median3(a, a, a); }
// The number of a state, hidden from compilers that would make ways of their own from state to state.
// NVIDIA's ptxas does not do so: the prelude hides this one without an instruction.
static inline uint wb_hidden_state(uint a) {
  int s = as_type<int>(a);
  return as_type<uint>(metal::median3(s, s, s));
}

// Apple's compiler before macOS 26.6.1 gets some u32 quotients and remainders wrong. Adding a zero
// that it cannot see through avoids that; elsewhere it folds away.
static inline uint wb_opaque(uint a) { return a + metal::mulhi(a, 1u); }
static inline uint wb_i32_div_u(uint a, uint b) { return b == 0u ? 0u : wb_opaque(a) / b; }
static inline uint wb_i32_rem_u(uint a, uint b) { return b == 0u ? 0u : wb_opaque(a) % b; }
static inline uint wb_i32_div_s(uint a, uint b) {
  if (b == 0u || (a == 0x80000000u && b == 0xffffffffu)) {
    return 0u;
  }
  return as_type<uint>(as_type<int>(a) / as_type<int>(b));
}
// Metal leaves remainders of negative operands undefined: on magnitudes, with the sign of a.
static inline uint wb_i32_rem_s(uint a, uint b) {
  bool negative = as_type<int>(a) < 0;
  uint x = negative ? 0u - a : a;
  uint y = as_type<int>(b) < 0 ? 0u - b : b;
  uint r = wb_i32_rem_u(x, y);
  return negative ? 0u - r : r;
}

static inline uint wb_i64_eqz(ulong a) { return (uint)(a == 0ul); }
static inline uint wb_i64_eq(ulong a, ulong b) { return (uint)(a == b); }
static inline uint wb_i64_ne(ulong a, ulong b) { return (uint)(a != b); }
static inline uint wb_i64_lt_u(ulong a, ulong b) { return (uint)(a < b); }
static inline uint wb_i64_gt_u(ulong a, ulong b) { return (uint)(a > b); }
static inline uint wb_i64_le_u(ulong a, ulong b) { return (uint)(a <= b); }
static inline uint wb_i64_ge_u(ulong a, ulong b) { return (uint)(a >= b); }
static inline uint wb_i64_lt_s(ulong a, ulong b) {
  return (uint)(as_type<long>(a) < as_type<long>(b));
}
static inline uint wb_i64_gt_s(ulong a, ulong b) {
  return (uint)(as_type<long>(a) > as_type<long>(b));
}
static inline uint wb_i64_le_s(ulong a, ulong b) {
  return (uint)(as_type<long>(a) <= as_type<long>(b));
}
static inline uint wb_i64_ge_s(ulong a, ulong b) {
  return (uint)(as_type<long>(a) >= as_type<long>(b));
}

static inline ulong wb_i64_add(ulong a, ulong b) { return a + b; }
static inline ulong wb_i64_sub(ulong a, ulong b) { return a - b; }
static inline ulong wb_i64_mul(ulong a, ulong b) { return a * b; }
static inline ulong wb_i64_and(ulong a, ulong b) { return a & b; }
static inline ulong wb_i64_or(ulong a, ulong b) { return a | b; }
static inline ulong wb_i64_xor(ulong a, ulong b) { return a ^ b; }
static inline ulong wb_i64_shl(ulong a, ulong b) { return a << (b & 63ul); }
static inline ulong wb_i64_shr_u(ulong a, ulong b) { return a >> (b & 63ul); }
static inline ulong wb_i64_shr_s(ulong a, ulong b) {
  return as_type<ulong>(as_type<long>(a) >> (b & 63ul));
}
static inline ulong wb_i64_rotl(ulong a, ulong b) {
  return (a << (b & 63ul)) | (a >> ((0ul - b) & 63ul));
}
static inline ulong wb_i64_rotr(ulong a, ulong b) {
  return (a >> (b & 63ul)) | (a << ((0ul - b) & 63ul));
}

// Counts of 64 bits from their halves: Metal's are the 32-bit ones.
static inline ulong wb_i64_clz(ulong a) {
  uint high = (uint)(a >> 32u);
  return (ulong)(high != 0u ? metal::clz(high) : 32u + wb_i32_clz((uint)a));
}
static inline ulong wb_i64_ctz(ulong a) {
  uint low = (uint)a;
  return (ulong)(low != 0u ? metal::ctz(low) : 32u + wb_i32_ctz((uint)(a >> 32u)));
}
static inline ulong wb_i64_popcnt(ulong a) {
  return (ulong)metal::popcount((uint)a) + (ulong)metal::popcount((uint)(a >> 32u));
}

static inline uint wb_i64_div_u_check(ulong, ulong b) {
  return b == 0ul ? WB_TRAP_DIVIDE_BY_ZERO : 0u;
}
static inline uint wb_i64_div_s_check(ulong a, ulong b) {
  if (b == 0ul) {
    return WB_TRAP_DIVIDE_BY_ZERO;
  }
  return a == 0x8000000000000000ul && b == 0xfffffffffffffffful ? WB_TRAP_INTEGER_OVERFLOW : 0u;
}
static inline ulong wb_i64_div_u(ulong a, ulong b) { return b == 0ul ? 0ul : a / b; }
static inline ulong wb_i64_rem_u(ulong a, ulong b) { return b == 0ul ? 0ul : a % b; }
static inline ulong wb_i64_div_s(ulong a, ulong b) {
  if (b == 0ul || (a == 0x8000000000000000ul && b == 0xfffffffffffffffful)) {
    return 0ul;
  }
  return as_type<ulong>(as_type<long>(a) / as_type<long>(b));
}
// Metal leaves remainders of negative operands undefined: on magnitudes, with the sign of a.
static inline ulong wb_i64_rem_s(ulong a, ulong b) {
  bool negative = as_type<long>(a) < 0;
  ulong x = negative ? 0ul - a : a;
  ulong y = as_type<long>(b) < 0 ? 0ul - b : b;
  ulong r = wb_i64_rem_u(x, y);
  return negative ? 0ul - r : r;
}

static inline uint wb_i32_wrap_i64(ulong a) { return (uint)a; }
static inline ulong wb_i64_extend_i32_u(uint a) { return (ulong)a; }
static inline ulong wb_i64_extend_i32_s(uint a) { return ((ulong)a ^ 0x80000000ul) - 0x80000000ul; }
static inline uint wb_i32_extend8_s(uint a) { return ((a & 0xffu) ^ 0x80u) - 0x80u; }
static inline uint wb_i32_extend16_s(uint a) { return ((a & 0xffffu) ^ 0x8000u) - 0x8000u; }
static inline ulong wb_i64_extend8_s(ulong a) { return ((a & 0xfful) ^ 0x80ul) - 0x80ul; }
static inline ulong wb_i64_extend16_s(ulong a) { return ((a & 0xfffful) ^ 0x8000ul) - 0x8000ul; }
static inline ulong wb_i64_extend32_s(ulong a) { return wb_i64_extend_i32_s((uint)a); }
