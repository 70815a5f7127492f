// ---- folds: what the instances of a group compute together (compiler/docs/collectives.md), of values
// that lanes hold. Where all lanes of a group come to a collective at once, as where they have not
// gone different ways, they exchange their values by the device's own instructions, and none leaves.
// Others leave and meet (collectives.metal). Codes are constants of the text, by which it is pruned.

static inline uint wb_collect_operation(uint code) { return code & WB_COLLECT_OPERATION; }
static inline uint wb_collect_type(uint code) {
  return (code >> WB_COLLECT_TYPE_SHIFT) & WB_COLLECT_TYPE;
}
static inline uint wb_collect_scope(uint code) { return code >> WB_COLLECT_SCOPE_SHIFT; }
static inline bool wb_collects_64(uint code) { return (wb_collect_type(code) & 1u) != 0u; }

static inline uint wb_fold_i32(uint operation, uint a, uint b) {
  uint folded = a + b;
  if (operation == WB_COLLECT_MIN_S) {
    folded = as_type<int>(a) < as_type<int>(b) ? a : b;
  } else if (operation == WB_COLLECT_MAX_S) {
    folded = as_type<int>(a) > as_type<int>(b) ? a : b;
  } else if (operation == WB_COLLECT_MIN_U) {
    folded = a < b ? a : b;
  } else if (operation == WB_COLLECT_MAX_U) {
    folded = a > b ? a : b;
  }
  return folded;
}

static inline ulong wb_fold_i64(uint operation, ulong a, ulong b) {
  ulong folded = a + b;
  if (operation == WB_COLLECT_MIN_S) {
    folded = as_type<long>(a) < as_type<long>(b) ? a : b;
  } else if (operation == WB_COLLECT_MAX_S) {
    folded = as_type<long>(a) > as_type<long>(b) ? a : b;
  } else if (operation == WB_COLLECT_MIN_U) {
    folded = a < b ? a : b;
  } else if (operation == WB_COLLECT_MAX_U) {
    folded = a > b ? a : b;
  }
  return folded;
}

static inline uint wb_fold_f32(uint operation, uint a, uint b) {
  wb_f32 x = wb_f32_reinterpret_i32(a);
  wb_f32 y = wb_f32_reinterpret_i32(b);
  wb_f32 folded = wb_f32_add(x, y);
  if (operation == WB_COLLECT_MIN_S) {
    folded = wb_f32_min(x, y);
  } else if (operation == WB_COLLECT_MAX_S) {
    folded = wb_f32_max(x, y);
  }
  return wb_i32_reinterpret_f32(wb_f32_canon(folded));
}

static inline ulong wb_fold_f64(uint operation, ulong a, ulong b) {
  wb_f64 x = wb_f64_reinterpret_i64(a);
  wb_f64 y = wb_f64_reinterpret_i64(b);
  wb_f64 folded = wb_f64_add(x, y);
  if (operation == WB_COLLECT_MIN_S) {
    folded = wb_f64_min(x, y);
  } else if (operation == WB_COLLECT_MAX_S) {
    folded = wb_f64_max(x, y);
  }
  return wb_i64_reinterpret_f64(wb_f64_canon(folded));
}

// Of two values, that of the lower lane first.
static inline ulong wb_fold(uint code, ulong a, ulong b) {
  uint operation = wb_collect_operation(code);
  uint type = wb_collect_type(code);
  ulong folded = a;
  if (operation == WB_COLLECT_AND || operation == WB_COLLECT_ALL) {
    folded = a & b;
  } else if (operation == WB_COLLECT_OR || operation == WB_COLLECT_ANY ||
             operation == WB_COLLECT_BALLOT) {
    folded = a | b;
  } else if (operation == WB_COLLECT_XOR) {
    folded = a ^ b;
  } else if (type == WB_COLLECT_I32) {
    folded = (ulong)wb_fold_i32(operation, (uint)a, (uint)b);
  } else if (type == WB_COLLECT_I64) {
    folded = wb_fold_i64(operation, a, b);
  } else if (type == WB_COLLECT_F32) {
    folded = (ulong)wb_fold_f32(operation, (uint)a, (uint)b);
  } else {
    folded = wb_fold_f64(operation, a, b);
  }
  return folded;
}

// What lane `i` gives whose argument is `value`. Of votes: its bit, or whether it votes.
static inline ulong wb_given(uint code, uint i, ulong value) {
  uint operation = wb_collect_operation(code);
  uint bit = wb_collect_scope(code) == WB_COLLECT_QUAD ? i & 3u : i;
  ulong given = value;
  if (operation == WB_COLLECT_ANY || operation == WB_COLLECT_ALL) {
    given = value != 0ul ? 1ul : 0ul;
  } else if (operation == WB_COLLECT_BALLOT) {
    given = value != 0ul ? 1ul << bit : 0ul;
  }
  return given;
}

// The lane whose value a shuffle of lane `i` answers with. `named`: by its argument.
static inline uint wb_shuffles_from(uint code, uint i, uint named) {
  uint mask = wb_collect_scope(code) == WB_COLLECT_QUAD ? 3u : WB_GROUP_LANES - 1u;
  uint wanted = named;
  if (wb_collect_operation(code) == WB_COLLECT_SHUFFLE_XOR) {
    wanted = named ^ i;
  }
  return (i & ~mask) | (wanted & mask);
}

// All lanes of the group are here at once, and none of them has used up its fuel.
static inline bool wb_together(uint fuel) {
  return metal::simd_active_threads_mask().all() && !metal::simd_any(wb_spent(fuel));
}

// The rest is for groups that are together.

static inline uint wb_number_in_group(wb_lane L) {
  return wb_get(L, WB_GROUP_AT + WB_GROUP_LANE) - 1u;
}

// The value that lane `from` holds.
static inline ulong wb_from_lane(uint code, ulong value, uint from) {
  ulong low = (ulong)metal::simd_shuffle((uint)value, (ushort)from);
  if (wb_collects_64(code)) {
    low = low | (ulong)metal::simd_shuffle((uint)(value >> 32u), (ushort)from) << 32u;
  }
  return low;
}

// Integers of a word, and votes.
static inline uint wb_fold_words(uint code, uint a) {
  uint operation = wb_collect_operation(code);
  uint top = 0x80000000u;
  uint folded = a;
  if (operation == WB_COLLECT_AND || operation == WB_COLLECT_ALL) {
    folded = metal::simd_and(a);
  } else if (operation == WB_COLLECT_OR || operation == WB_COLLECT_ANY ||
             operation == WB_COLLECT_BALLOT) {
    folded = metal::simd_or(a);
  } else if (operation == WB_COLLECT_XOR) {
    folded = metal::simd_xor(a);
  } else if (operation == WB_COLLECT_MIN_S) {
    folded = metal::simd_min(a ^ top) ^ top;
  } else if (operation == WB_COLLECT_MAX_S) {
    folded = ~metal::simd_min(~(a ^ top)) ^ top;
  } else if (operation == WB_COLLECT_MIN_U) {
    folded = metal::simd_min(a);
  } else if (operation == WB_COLLECT_MAX_U) {
    folded = ~metal::simd_min(~a);
  } else {
    folded = metal::simd_sum(a);
  }
  return folded;
}

// In the order of the lanes: sums of floats. `count` lanes from `first` on.
static inline ulong wb_fold_in_order(uint code, ulong given, uint first, uint count) {
  ulong folded = wb_from_lane(code, given, first);
  for (uint j = 1u; j < count; j += 1u) {
    folded = wb_fold(code, folded, wb_from_lane(code, given, first + j));
  }
  return folded;
}

// In any order: with the lanes whose numbers differ in one bit, bit by bit.
static inline ulong wb_fold_by_halves(uint code, uint lane, ulong given) {
  ulong folded = given;
  for (uint by = WB_GROUP_LANES >> 1u; by != 0u; by = by >> 1u) {
    folded = wb_fold(code, folded, wb_from_lane(code, folded, lane ^ by));
  }
  return folded;
}

// Sums up to the lane, or (`below` 1) of the lanes below it.
static inline ulong wb_scan_integers(uint code, uint lane, ulong given, uint below) {
  ulong sum = given;
  for (uint by = 1u; by < WB_GROUP_LANES; by = by << 1u) {
    ulong before = wb_from_lane(code, sum, (lane - by) & (WB_GROUP_LANES - 1u));
    sum = lane >= by ? wb_fold(code, sum, before) : sum;
  }
  if (below != 0u) {
    sum = wb_from_lane(code, sum, (lane - 1u) & (WB_GROUP_LANES - 1u));
    sum = lane != 0u ? sum : 0ul;
  }
  return sum;
}

static inline ulong wb_scan_in_order(uint code, uint lane, ulong given, uint below) {
  ulong sum = wb_from_lane(code, given, 0u);
  ulong answer = lane == below ? sum : 0ul;
  for (uint j = 1u; j < WB_GROUP_LANES; j += 1u) {
    sum = wb_fold(code, sum, wb_from_lane(code, given, j));
    answer = lane == j + below ? sum : answer;
  }
  return answer;
}

// The answer of a collective to a lane whose arguments are `value` and `named`.
static inline ulong wb_collect_together(wb_lane L, uint code, ulong value, uint named) {
  uint operation = wb_collect_operation(code);
  uint type = wb_collect_type(code);
  uint scope = wb_collect_scope(code);
  uint lane = wb_number_in_group(L);
  bool in_order = operation == WB_COLLECT_SUM && (type == WB_COLLECT_F32 || type == WB_COLLECT_F64);
  ulong given = wb_given(code, lane, value);
  ulong answer = 0ul;
  if (WB_GROUP_MEMORY_AT != 0u) {
    metal::simdgroup_barrier(metal::mem_flags::mem_device);
  }
  if (operation == WB_COLLECT_SHUFFLE || operation == WB_COLLECT_SHUFFLE_XOR) {
    answer = wb_from_lane(code, value, wb_shuffles_from(code, lane, named));
  } else if (operation == WB_COLLECT_MEET) {
    answer = 0ul;
  } else if (scope == WB_COLLECT_QUAD) {
    answer = wb_fold_in_order(code, given, lane & ~3u, 4u);
  } else if (scope == WB_COLLECT_GROUP && type == WB_COLLECT_I32) {
    answer = (ulong)wb_fold_words(code, (uint)given);
  } else if (scope == WB_COLLECT_GROUP && in_order) {
    answer = wb_fold_in_order(code, given, 0u, WB_GROUP_LANES);
  } else if (scope == WB_COLLECT_GROUP) {
    answer = wb_fold_by_halves(code, lane, given);
  } else if (in_order) {
    answer = wb_scan_in_order(code, lane, given, scope == WB_COLLECT_EXCLUSIVE ? 1u : 0u);
  } else {
    answer = wb_scan_integers(code, lane, given, scope == WB_COLLECT_EXCLUSIVE ? 1u : 0u);
  }
  return answer;
}
