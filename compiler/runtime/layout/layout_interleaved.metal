// ---- layout: interleaved. Memories lie as all words of lanes: one word of a lane beside the next
// lane's. wb_mem points at the lane's own word of the group.
typedef device uint *wb_mem;

// As if the lane had all of the memory in front of its window, too.
static inline wb_mem wb_memory(wb_lane L) {
  ulong before = (ulong)(wb_window_from(L) >> 2u);
  return wb_settled(L + (ulong)WB_MEMORY_AT * (ulong)WB_GROUP_LANES -
                    before * (ulong)WB_GROUP_LANES);
}
// A memory that begins at the lane's word `w`.
static inline wb_mem wb_memory_from(wb_lane L, ulong w) {
  return wb_settled(L + w * (ulong)WB_GROUP_LANES);
}

// Where the word is that holds byte `ea`, and how far it is from there to the next: words are
// numbered. The low word of the address is enough.
constant uint WB_NEXT_WORD = 1u;
static inline uint wb_word_of(ulong ea) { return (uint)ea >> 2u; }
// Word `w` of a memory.
static inline uint wb_memory_get(wb_mem M, uint w) { return wb_get(M, w); }
static inline void wb_memory_put(wb_mem M, uint w, uint v) { wb_put(M, w, v); }
// The byte at an address.
static inline device uchar *wb_byte_of(wb_mem M, uint a) {
  return wb_byte_at(wb_word_at(M, a >> 2u), a & 3u);
}

// Words from an address on that is a multiple of 4.
typedef device uint *wb_words;
static inline wb_words wb_words_at(wb_mem M, uint a) {
  return M + (ulong)(a >> 2u) * (ulong)WB_GROUP_LANES;
}
static inline uint wb_word_get(wb_words P, ulong w) { return P[w * (ulong)WB_GROUP_LANES]; }
static inline ulong wb_word_get64(wb_words P, ulong w) {
  return (ulong)wb_word_get(P, w) | ((ulong)wb_word_get(P, w + 1ul) << 32u);
}
static inline void wb_word_put(wb_words P, ulong w, uint v) { P[w * (ulong)WB_GROUP_LANES] = v; }
static inline void wb_word_put64(wb_words P, ulong w, ulong v) {
  wb_word_put(P, w, (uint)v);
  wb_word_put(P, w + 1ul, (uint)(v >> 32u));
}
