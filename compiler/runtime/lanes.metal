// ---- lanes: header, values, traps and the size of memory.

// How a function or a step ended (`w`: WB_RETURNED and the rest) and the fuel that was left.
struct WbEnd {
  uint w;
  uint fuel;
};

static inline ulong wb_get64(wb_lane L, uint w) {
  return (ulong)wb_get(L, w) | ((ulong)wb_get(L, w + 1u) << 32u);
}
static inline void wb_put64(wb_lane L, uint w, ulong v) {
  wb_put(L, w, (uint)v);
  wb_put(L, w + 1u, (uint)(v >> 32u));
}

// Fuel counts down and may go below zero between two safepoints: it is a signed number.
static inline bool wb_spent(uint fuel) { return as_type<int>(fuel) < 0; }

// Asked where lanes of a group that went different ways meet again: at the header of a loop with
// further safepoints inside. All lanes that are there leave if one of them has less fuel than `low`.
// If each left when its own fuel is spent, they would go on at different rounds of that loop for
// good, and words that lie side by side would no longer be read together (seen on an H200: a third
// of the speed). `low` is an argument, since reading it from the lane in every function took more
// registers.
static inline bool wb_group_is_low(uint fuel, uint low) {
  return !metal::simd_all(as_type<int>(fuel) >= as_type<int>(low));
}

static inline void wb_put_trap(wb_lane L, uint trap, uint function, uint offset) {
  wb_put(L, WB_LANE_TRAP, trap);
  wb_put(L, WB_LANE_TRAP_FUNCTION, function);
  wb_put(L, WB_LANE_TRAP_OFFSET, offset);
}

// `why` packs a trap and its place in the module: WB_WHY_TRAP.
static inline void wb_trap(wb_lane L, uint why, uint function) {
  wb_put_trap(L, (why >> WB_WHY_TRAP_SHIFT) & WB_WHY_TRAP_NUMBER, function,
              why & WB_WHY_TRAP_OFFSET);
}

static inline ulong wb_all_memory_bytes(wb_lane L) {
  return (ulong)wb_get(L, WB_LANE_PAGES) * (ulong)WB_PAGE_BYTES;
}

// ---- windows: a lane may hold only a part of its first memory, from wb_window_from on. An access
// outside of it is a miss: it is noted and ends the step as a trap does, and the instance starts
// again in a lane that holds more.

// Where the lane's part of the memory ends; it may hold all.
static inline ulong wb_window_end(wb_lane L) {
  uint bytes = WB_WINDOWED != 0u ? wb_get(L, WB_LANE_WINDOW_BYTES) : 0u;
  return bytes != 0u ? (ulong)wb_window_from(L) + (ulong)bytes : ~0ul;
}
// Where accesses end at the latest, of a memory of so many bytes.
static inline ulong wb_held_bytes(wb_lane L, ulong bytes) {
  ulong end = wb_window_end(L);
  return end < bytes ? end : bytes;
}
static inline ulong wb_memory_bytes(wb_lane L) {
  return wb_held_bytes(L, wb_all_memory_bytes(L));
}
// Where they end at the earliest. The first bytes of a window are not accessible, so that one
// comparison serves accesses of every size.
static inline ulong wb_window_low(wb_lane L) {
  uint from = wb_window_from(L);
  return from != 0u ? (ulong)from + (ulong)WB_WINDOW_MARGIN : 0ul;
}

// An access that ends at `end` is outside of the lane's part: a miss, unless memory ends before.
// Always true.
static inline bool wb_note_miss(wb_lane L, ulong end) {
  if (WB_WINDOWED != 0u && end <= wb_all_memory_bytes(L)) {
    wb_put(L, WB_LANE_MISSED, (uint)(end >> WB_MISSED_SHIFT) + 1u);
  }
  return true;
}

// Bytes of the first memory to 0, as far as the lane holds them.
static inline void wb_clear_memory(wb_lane L, ulong from, ulong end) {
  ulong low = (ulong)wb_window_from(L);
  ulong high = wb_window_end(L);
  from = from < low ? low : from;
  end = end < high ? end : high;
  if (from < end) {
    wb_fill_bytes(wb_memory(L), from, 0u, end - from);
  }
}

// Zeros in the first memory where it grows, as far as they are not known to be there.
static inline void wb_clear_grown(wb_lane L, uint old_pages, uint pages) {
  uint clean = wb_get(L, WB_LANE_CLEAN_PAGES);
  if (pages > clean) {
    ulong from = (ulong)(clean > old_pages ? clean : old_pages);
    wb_clear_memory(L, from * (ulong)WB_PAGE_BYTES, (ulong)pages * (ulong)WB_PAGE_BYTES);
    wb_put(L, WB_LANE_CLEAN_PAGES, pages);
  }
}

// The old size in pages, or WB_GROW_REFUSED or WB_GROW_LEAVES.
static inline uint wb_memory_grow(wb_lane L, uint delta) {
  uint old_pages = wb_get(L, WB_LANE_PAGES);
  ulong pages = (ulong)old_pages + (ulong)delta;
  uint result = old_pages;
  if (pages > (ulong)wb_get(L, WB_LANE_MAX_PAGES) || pages > 65536ul) {
    result = WB_GROW_REFUSED;
  } else if (pages > (ulong)wb_get(L, WB_LANE_CAPACITY_PAGES)) {
    wb_put(L, WB_LANE_WANTED_PAGES, (uint)pages);
    result = WB_GROW_LEAVES;
  } else {
    wb_clear_grown(L, old_pages, (uint)pages);
    wb_put(L, WB_LANE_PAGES, (uint)pages);
  }
  return result;
}

