// ---- group memory: what the instances of a group share (compiler/docs/group_memory.md). Word numbers
// have passed their bounds check: < WB_GROUP_MEMORY_WORDS.

static inline device uint *wb_group_place(wb_lane L, uint w) {
  ulong back = wb_get64(L, WB_GROUP_AT + WB_GROUP_BACK_LO);
  return wb_group_word(L, back, WB_GROUP_MEMORY_AT, w);
}

static inline uint wb_group_load(wb_lane L, uint w) { return wb_group_place(L, w)[0]; }
static inline ulong wb_group_load64(wb_lane L, uint w) {
  device uint *place = wb_group_place(L, w);
  return (ulong)place[0] | ((ulong)place[1] << 32u);
}
static inline void wb_group_store(wb_lane L, uint w, uint v) { wb_group_place(L, w)[0] = v; }
static inline void wb_group_store64(wb_lane L, uint w, ulong v) {
  device uint *place = wb_group_place(L, w);
  place[0] = (uint)v;
  place[1] = (uint)(v >> 32u);
}

static inline uint wb_group_changed(uint operation, uint a, uint b) {
  uint changed = b;
  if (operation == WB_ACCESS_ADD) {
    changed = a + b;
  } else if (operation == WB_ACCESS_AND) {
    changed = a & b;
  } else if (operation == WB_ACCESS_OR) {
    changed = a | b;
  } else if (operation == WB_ACCESS_XOR) {
    changed = a ^ b;
  } else if (operation == WB_ACCESS_MIN_S) {
    changed = as_type<int>(a) < as_type<int>(b) ? a : b;
  } else if (operation == WB_ACCESS_MAX_S) {
    changed = as_type<int>(a) > as_type<int>(b) ? a : b;
  } else if (operation == WB_ACCESS_MIN_U) {
    changed = a < b ? a : b;
  } else if (operation == WB_ACCESS_MAX_U) {
    changed = a > b ? a : b;
  }
  return changed;
}

// Puts `v` into word w if it holds `expected`. What it held before.
static inline uint wb_group_compare(wb_lane L, uint w, uint expected, uint v) {
  device atomic_uint *place = (device atomic_uint *)wb_group_place(L, w);
  uint held = expected;
  bool done = false;
  while (!done) {
    held = expected;
    done = metal::atomic_compare_exchange_weak_explicit(
        place, &held, v, metal::memory_order_relaxed, metal::memory_order_relaxed);
    done = done || held != expected;
  }
  return held;
}

// Changes word w as one step. What it held before.
static inline uint wb_group_change(wb_lane L, uint operation, uint w, uint v) {
  device atomic_uint *place = (device atomic_uint *)wb_group_place(L, w);
  uint held = metal::atomic_load_explicit(place, metal::memory_order_relaxed);
  while (!metal::atomic_compare_exchange_weak_explicit(
      place, &held, wb_group_changed(operation, held, v), metal::memory_order_relaxed,
      metal::memory_order_relaxed)) {
  }
  return held;
}

