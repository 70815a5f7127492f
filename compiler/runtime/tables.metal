// ---- tables in the lane, after their bounds check. An element is one word; `t` is the lane's word of
// element 0.

// Elements [d, d + n) = v, n up to WB_BULK_CHUNK_ELEMENTS.
static inline void wb_table_fill_chunk(wb_lane L, uint t, uint d, uint v, uint n) {
  for (uint i = 0u; i < n; i += 1u) {
    wb_put(L, t + d + i, v);
  }
}

// One piece of a copy of n elements that may overlap, at most WB_BULK_CHUNK_ELEMENTS. These are the
// first elements if d <= s, else the last ones, so that what is left is again such a copy.
static inline void wb_table_copy_chunk(wb_lane L, uint t, uint d, uint from, uint s, uint n) {
  uint piece = n < WB_BULK_CHUNK_ELEMENTS ? n : WB_BULK_CHUNK_ELEMENTS;
  bool forward = d <= s;
  for (uint k = 0u; k < piece; k += 1u) {
    uint i = forward ? k : n - 1u - k;
    wb_put(L, t + d + i, wb_get(L, from + s + i));
  }
}

// Elements [d, d + n) from element s on of a segment of the text, n up to WB_BULK_CHUNK_ELEMENTS.
static inline void wb_table_init_chunk(wb_lane L, uint t, uint d, constant uint *from, uint s,
                                       uint n) {
  for (uint i = 0u; i < n; i += 1u) {
    wb_put(L, t + d + i, from[s + i]);
  }
}
