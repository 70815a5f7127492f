// ---- data that nobody writes (compiler/docs/read_only_data.md): one copy in the text serves all lanes,
// as long as nothing has written to the lane's own, and where the layout has copies (wb_has_copies).
static inline bool wb_reads_copy(uint written) { return wb_has_copies() && written == 0u; }
// Loads that ask wb_has_copies alone read what is there.
static inline bool wb_copies_hold(uint written) { return !wb_has_copies() || written == 0u; }
static inline uint wb_data_written(wb_lane L) { return wb_get(L, WB_LANE_DATA_WRITTEN); }
static inline void wb_note_data(wb_lane L, uint written) {
  if (written != 0u) {
    wb_put(L, WB_LANE_DATA_WRITTEN, 1u);
  }
}
static inline uint wb_is_in(uint a, uint from, uint bytes) { return a - from < bytes ? 1u : 0u; }
// n bytes from d on have some of those from `from` up to `end`.
static inline uint wb_touches(uint d, uint n, uint from, uint end) {
  return n != 0u && d < end && (ulong)d + (ulong)n > (ulong)from ? 1u : 0u;
}

// Loads from a copy, `at` bytes behind where it begins, a multiple of the load's size or of 4.
static inline uint wb_copy8(constant uint *C, uint at) { return (uint)((constant uchar *)C)[at]; }
static inline uint wb_copy16(constant uint *C, uint at) {
  return C[at >> 2u] >> ((at & 2u) << 3u) & 0xffffu;
}
static inline uint wb_copy32(constant uint *C, uint at) { return C[at >> 2u]; }
static inline ulong wb_copy64(constant uint *C, uint at) {
  return (ulong)C[at >> 2u] | (ulong)C[(at >> 2u) + 1u] << 32u;
}
