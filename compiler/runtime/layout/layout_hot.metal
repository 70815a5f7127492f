// ---- layout: hot. As interleaved, but while a call runs the bytes of the first memory from WB_HOT_FROM
// on, WB_HOT_BYTES, lie in the device's memory for a group: a lane's word of them beside the next
// lane's. For devices whose prelude has wb_native_hot_word. Both numbers are multiples of 4.

// The memory from where its words lie as ever, and whether an access may come to hot bytes.
constant uint WB_IS_COLD = 0u;
constant uint WB_IS_HOT = 1u;
constant uint WB_IS_EITHER = 2u;
struct WbMemory {
  device uint *words;
  uint heat;
};
typedef WbMemory wb_mem;

static inline wb_mem wb_settled(wb_mem M) {
  M.words = wb_settled(M.words);
  return M;
}
// A memory that begins at the lane's word `w`.
static inline wb_mem wb_memory_from(wb_lane L, ulong w) {
  wb_mem M;
  M.words = wb_settled(L + w * (ulong)WB_GROUP_LANES);
  M.heat = WB_IS_COLD;
  return M;
}
// As if the lane had all of the memory in front of its window, too. So the memory is found where no
// call runs.
static inline wb_mem wb_memory(wb_lane L) {
  ulong before = (ulong)(wb_window_from(L) >> 2u);
  wb_mem M;
  M.words = wb_settled(L + (ulong)WB_MEMORY_AT * (ulong)WB_GROUP_LANES -
                       before * (ulong)WB_GROUP_LANES);
  M.heat = WB_IS_COLD;
  return M;
}
// And so by what runs within a call.
static inline wb_mem wb_hot_memory(wb_lane L) {
  wb_mem M = wb_memory(L);
  M.heat = WB_IS_EITHER;
  return M;
}
// For an access that is known to come to hot bytes alone, or to none.
static inline wb_mem wb_hot(wb_mem M) {
  M.heat = WB_IS_HOT;
  return M;
}
static inline wb_mem wb_cold(wb_mem M) {
  M.heat = WB_IS_COLD;
  return M;
}

// A word's place is its address, a multiple of 4: it is multiplied by how many lanes lie side by side
// near, and with a number of the word compilers would not find the table's own address in the product.
constant uint WB_NEXT_WORD = 4u;
static inline uint wb_word_of(ulong ea) { return (uint)ea & 0xfffffffcu; }

static inline bool wb_is_hot(wb_mem M, uint w) {
  return M.heat == WB_IS_HOT || (M.heat == WB_IS_EITHER && w - WB_HOT_FROM < WB_HOT_BYTES);
}
// The word at `w`, which is hot.
static inline device uint *wb_hot_word(uint w) { return wb_native_hot_word(w - WB_HOT_FROM); }

// The word at `w` of a memory.
static inline uint wb_memory_get(wb_mem M, uint w) {
  if (wb_is_hot(M, w)) {
    return wb_hot_word(w)[0];
  }
  return wb_get(M.words, w >> 2u);
}
static inline void wb_memory_put(wb_mem M, uint w, uint v) {
  if (wb_is_hot(M, w)) {
    wb_hot_word(w)[0] = v;
  } else {
    wb_put(M.words, w >> 2u, v);
  }
}
// The byte at an address. What a prelude knows of pointers to bytes is of lanes' words: a hot one lies elsewhere.
static inline device uchar *wb_byte_of(wb_mem M, uint a) {
  uint w = wb_word_of((ulong)a);
  if (wb_is_hot(M, w)) {
    return (device uchar *)wb_hot_word(w) + (a & 3u);
  }
  return wb_byte_at(wb_word_at(M.words, a >> 2u), a & 3u);
}

// Words from an address on that is a multiple of 4.
struct WbWords {
  wb_mem memory;
  uint first;
};
typedef WbWords wb_words;
static inline wb_words wb_words_at(wb_mem M, uint a) {
  wb_words P;
  P.memory = M;
  P.first = wb_word_of((ulong)a);
  return P;
}
static inline uint wb_word_get(wb_words P, ulong w) {
  return wb_memory_get(P.memory, P.first + (uint)w * WB_NEXT_WORD);
}
static inline ulong wb_word_get64(wb_words P, ulong w) {
  return (ulong)wb_word_get(P, w) | ((ulong)wb_word_get(P, w + 1ul) << 32u);
}
static inline void wb_word_put(wb_words P, ulong w, uint v) {
  wb_memory_put(P.memory, P.first + (uint)w * WB_NEXT_WORD, v);
}
static inline void wb_word_put64(wb_words P, ulong w, ulong v) {
  wb_word_put(P, w, (uint)v);
  wb_word_put(P, w + 1ul, (uint)(v >> 32u));
}

// A lane takes its own hot bytes as a call begins or goes on, and gives them back as it ends or
// leaves. No other lane comes to them.
static inline void wb_take_hot_bytes(wb_lane L, bool active) {
  wb_mem M = wb_memory(L);
  for (uint w = 0u; active && w < WB_HOT_BYTES; w += WB_NEXT_WORD) {
    wb_hot_word(WB_HOT_FROM + w)[0] = wb_memory_get(M, WB_HOT_FROM + w);
  }
}
static inline void wb_give_hot_bytes(wb_lane L, bool active) {
  wb_mem M = wb_memory(L);
  for (uint w = 0u; active && w < WB_HOT_BYTES; w += WB_NEXT_WORD) {
    wb_memory_put(M, WB_HOT_FROM + w, wb_hot_word(WB_HOT_FROM + w)[0]);
  }
}
