// ---- calls: how an emitted function ends, and how its end reaches its caller.
// `why` is the variable w of an emitted function: 0x80000000 | trap << 26 | byte offset (trap 0: a
// callee trapped and has said where), 0x40000000 | safepoint number, 0x20000000 memory beyond the
// engine's reserve.

static inline uint wb_end(wb_lane L, uint why, uint function) {
  uint result = WB_NEEDS_MEMORY;
  if ((why & 0x80000000u) != 0u) {
    result = WB_TRAPPED;
    if (why != 0x80000000u) {
      wb_trap(L, why, function);
    }
  } else if ((why & 0x40000000u) != 0u) {
    result = WB_LEFT;
  }
  return result;
}

// What the caller's w becomes when a callee ended with `result`; `safepoint` is the call's number.
static inline uint wb_unwind(uint result, uint safepoint) {
  return result == WB_LEFT ? 0x40000000u | safepoint
                           : (result == WB_TRAPPED ? 0x80000000u : 0x20000000u);
}
