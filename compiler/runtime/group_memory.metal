// ---- group memory: what the instances of a group share (compiler/docs/group_memory.md). Word numbers
// have passed their bounds check: < WB_GROUP_MEMORY_WORDS.

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

// Changes word w as one step, by an operation that is a constant of the text. What it held before.
static inline uint wb_group_change(wb_lane L, uint operation, uint w, uint v) {
  device atomic_uint *place = (device atomic_uint *)wb_group_place(L, w);
  device atomic_int *number = (device atomic_int *)place;
  uint held = 0u;
  if (operation == WB_ACCESS_ADD) {
    held = metal::atomic_fetch_add_explicit(place, v, metal::memory_order_relaxed);
  } else if (operation == WB_ACCESS_AND) {
    held = metal::atomic_fetch_and_explicit(place, v, metal::memory_order_relaxed);
  } else if (operation == WB_ACCESS_OR) {
    held = metal::atomic_fetch_or_explicit(place, v, metal::memory_order_relaxed);
  } else if (operation == WB_ACCESS_XOR) {
    held = metal::atomic_fetch_xor_explicit(place, v, metal::memory_order_relaxed);
  } else if (operation == WB_ACCESS_MIN_S) {
    held = as_type<uint>(
        metal::atomic_fetch_min_explicit(number, as_type<int>(v), metal::memory_order_relaxed));
  } else if (operation == WB_ACCESS_MAX_S) {
    held = as_type<uint>(
        metal::atomic_fetch_max_explicit(number, as_type<int>(v), metal::memory_order_relaxed));
  } else if (operation == WB_ACCESS_MIN_U) {
    held = metal::atomic_fetch_min_explicit(place, v, metal::memory_order_relaxed);
  } else if (operation == WB_ACCESS_MAX_U) {
    held = metal::atomic_fetch_max_explicit(place, v, metal::memory_order_relaxed);
  } else {
    held = metal::atomic_exchange_explicit(place, v, metal::memory_order_relaxed);
  }
  return held;
}
