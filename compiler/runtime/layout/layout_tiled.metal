// ---- layout: tiled. Of memories WB_TILE_WORDS words of a lane lie side by side, then those of the
// group's next lane: where lanes go to addresses of their own, what one reads of what it goes to lies
// together. For devices whose prelude has wb_native_lane_in_group. wb_mem points at the lane's own words.
typedef device uint *wb_mem;

// A memory that begins at the lane's word `w`, a multiple of WB_TILE_WORDS.
static inline wb_mem wb_memory_from(wb_lane L, ulong w) {
  uint lane = wb_native_lane_in_group(L);
  return wb_native_tiles(
      wb_settled(L + w * (ulong)WB_GROUP_LANES + (ulong)(lane * (WB_TILE_WORDS - 1u))));
}
// As if the lane had all of the memory in front of its window, too.
static inline wb_mem wb_memory(wb_lane L) {
  ulong before = (ulong)(wb_window_from(L) >> 2u);
  return wb_native_tiles(wb_memory_from(L, (ulong)WB_MEMORY_AT) - before * (ulong)WB_GROUP_LANES);
}

// Where word `w` of a memory is, from its first one.
static inline ulong wb_tiled(uint w) {
  uint in_tile = w & (WB_TILE_WORDS - 1u);
  return (ulong)(w - in_tile) * (ulong)WB_GROUP_LANES + (ulong)in_tile;
}
// Where the word is that holds byte `ea`, and how far it is from there to the next: words are
// numbered. The low word of the address is enough.
constant uint WB_NEXT_WORD = 1u;
static inline uint wb_word_of(ulong ea) { return (uint)ea >> 2u; }
static inline uint wb_memory_get(wb_mem M, uint w) { return M[wb_tiled(w)]; }
static inline void wb_memory_put(wb_mem M, uint w, uint v) { M[wb_tiled(w)] = v; }
// The byte at an address. A tile has 16 of a lane.
static inline device uchar *wb_byte_of(wb_mem M, uint a) {
  return wb_byte_at(wb_native_tile_at(M, a >> 4u), a & 15u);
}

// Words from an address on that is a multiple of 4.
struct WbWords {
  wb_mem tile;
  uint skipped;  // of the tile's words
};
typedef WbWords wb_words;
static inline wb_words wb_words_at(wb_mem M, uint a) {
  uint w = a >> 2u;
  wb_words P;
  P.skipped = w & (WB_TILE_WORDS - 1u);
  P.tile = M + (ulong)(w - P.skipped) * (ulong)WB_GROUP_LANES;
  return P;
}
static inline uint wb_word_get(wb_words P, ulong w) {
  return wb_memory_get(P.tile, P.skipped + (uint)w);
}
static inline ulong wb_word_get64(wb_words P, ulong w) {
  return (ulong)wb_word_get(P, w) | ((ulong)wb_word_get(P, w + 1ul) << 32u);
}
static inline void wb_word_put(wb_words P, ulong w, uint v) {
  wb_memory_put(P.tile, P.skipped + (uint)w, v);
}
static inline void wb_word_put64(wb_words P, ulong w, ulong v) {
  wb_word_put(P, w, (uint)v);
  wb_word_put(P, w + 1ul, (uint)(v >> 32u));
}
