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

static inline bool wb_is_hot(wb_mem M, uint w) {
  return M.heat == WB_IS_HOT ||
         (M.heat == WB_IS_EITHER && w - (WB_HOT_FROM >> 2u) < WB_HOT_BYTES >> 2u);
}
// Word `w` of the memory, which is hot.
static inline device uint *wb_hot_word(uint w) {
  return wb_native_hot_word(WB_HOT_BYTES >> 2u, w - (WB_HOT_FROM >> 2u));
}

// Word `w` of a memory.
static inline uint wb_memory_get(wb_mem M, uint w) {
  if (wb_is_hot(M, w)) {
    return wb_hot_word(w)[0];
  }
  return wb_get(M.words, w);
}
static inline void wb_memory_put(wb_mem M, uint w, uint v) {
  if (wb_is_hot(M, w)) {
    wb_hot_word(w)[0] = v;
  } else {
    wb_put(M.words, w, v);
  }
}
// The byte at an address. What a prelude knows of pointers to bytes is of lanes' words: a hot one lies elsewhere.
static inline device uchar *wb_byte_of(wb_mem M, uint a) {
  uint w = a >> 2u;
  if (wb_is_hot(M, w)) {
    return (device uchar *)wb_hot_word(w) + (a & 3u);
  }
  return wb_byte_at(wb_word_at(M.words, w), a & 3u);
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
  P.first = a >> 2u;
  return P;
}
static inline uint wb_word_get(wb_words P, ulong w) {
  return wb_memory_get(P.memory, P.first + (uint)w);
}
static inline ulong wb_word_get64(wb_words P, ulong w) {
  return (ulong)wb_word_get(P, w) | ((ulong)wb_word_get(P, w + 1ul) << 32u);
}
static inline void wb_word_put(wb_words P, ulong w, uint v) {
  wb_memory_put(P.memory, P.first + (uint)w, v);
}
static inline void wb_word_put64(wb_words P, ulong w, ulong v) {
  wb_word_put(P, w, (uint)v);
  wb_word_put(P, w + 1ul, (uint)(v >> 32u));
}

// A lane takes its own hot bytes as a call begins or goes on, and gives them back as it ends or
// leaves. No other lane comes to them.
static inline void wb_take_hot_bytes(wb_lane L, bool active) {
  wb_mem M = wb_memory(L);
  uint first = WB_HOT_FROM >> 2u;
  for (uint w = 0u; active && w < WB_HOT_BYTES >> 2u; w += 1u) {
    wb_hot_word(first + w)[0] = wb_memory_get(M, first + w);
  }
}
static inline void wb_give_hot_bytes(wb_lane L, bool active) {
  wb_mem M = wb_memory(L);
  uint first = WB_HOT_FROM >> 2u;
  for (uint w = 0u; active && w < WB_HOT_BYTES >> 2u; w += 1u) {
    wb_memory_put(M, first + w, wb_hot_word(first + w)[0]);
  }
}
