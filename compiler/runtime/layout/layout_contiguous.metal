// ---- layout: contiguous. A lane's words follow one another (CPUs).
// A lane is reached through wb_lane, its linear memory through wb_mem; nothing else in the text
// knows how a word or a byte of them is found. Addresses have passed their bounds check: < 2^32.
typedef device uint *wb_lane;
typedef device uchar *wb_mem;
typedef ulong wb_round;  // number of a counted loop's round

// `lane_words` is the size of a lane's whole state, memory reserve included.
static inline wb_lane wb_lane_at(device uint *state, uint gid, ulong lane_words) {
  return state + (ulong)gid * lane_words;
}
static inline uint wb_get(wb_lane L, uint w) { return L[w]; }
static inline void wb_put(wb_lane L, uint w, uint v) { L[w] = v; }
// The frame that begins at the lane's word `w`; its words are read and written as a lane's.
static inline wb_lane wb_frame(wb_lane L, uint w) { return L + w; }
// Words of the memory that a group shares: all are in its first lane, from that lane's word `at` on.
// `back`: words from where that lane begins to where L does.
static inline device uint *wb_group_word(wb_lane L, ulong back, uint at, uint w) {
  return L - back + (ulong)at + (ulong)w;
}
// The byte of the first memory that its first word in the lane holds.
static inline uint wb_window_from(wb_lane L) {
  return WB_WINDOWED > 1u ? wb_get(L, WB_LANE_WINDOW_FROM) : 0u;
}
// As if the lane had all of the memory in front of its window, too.
static inline wb_mem wb_memory(wb_lane L) {
  return (wb_mem)(L + WB_MEMORY_AT) - (ulong)wb_window_from(L);
}
// A memory that begins at the lane's word `w`.
static inline wb_mem wb_memory_from(wb_lane L, ulong w) { return (wb_mem)(L + w); }

// An address that is known to be a multiple of 4 or of 2: any other costs no more.
static inline uint wb_at_word(uint a) { return a; }
static inline uint wb_at_half(uint a) { return a; }
static inline uint wb_at_tile(uint a) { return a; }
static inline uint wb_at_place(uint a, uint, uint) { return a; }

// A lane's own data are as near as a copy.
static inline bool wb_has_copies() { return false; }

static inline uint wb_peek8(wb_mem M, ulong ea) { return (uint)M[ea]; }
static inline uint wb_peek16(wb_mem M, ulong ea) { return wb_native_load16(M + ea); }
static inline uint wb_peek32(wb_mem M, ulong ea) { return wb_native_load32(M + ea); }
static inline ulong wb_peek64(wb_mem M, ulong ea) { return wb_native_load64(M + ea); }
static inline void wb_poke8(wb_mem M, ulong ea, uint v) { M[ea] = (uchar)(v & 0xffu); }
static inline uint wb_peek_byte(wb_mem M, ulong ea) { return wb_peek8(M, ea); }
static inline void wb_poke_byte(wb_mem M, ulong ea, uint v) { wb_poke8(M, ea, v); }
static inline void wb_poke16(wb_mem M, ulong ea, uint v) { wb_native_store16(M + ea, v); }
static inline void wb_poke32(wb_mem M, ulong ea, uint v) { wb_native_store32(M + ea, v); }
static inline void wb_poke64(wb_mem M, ulong ea, ulong v) { wb_native_store64(M + ea, v); }

// Words from an address on that is a multiple of 4.
typedef device uchar *wb_words;
static inline wb_words wb_words_at(wb_mem M, uint a) { return M + a; }
static inline uint wb_word_get(wb_words P, ulong w) { return wb_native_load32(P + w * 4ul); }
static inline ulong wb_word_get64(wb_words P, ulong w) { return wb_native_load64(P + w * 4ul); }
static inline void wb_word_put(wb_words P, ulong w, uint v) { wb_native_store32(P + w * 4ul, v); }
static inline void wb_word_put64(wb_words P, ulong w, ulong v) {
  wb_native_store64(P + w * 4ul, v);
}

// memset(d, low byte of v, n) and memmove(d, s, n).
static inline void wb_fill_bytes(wb_mem M, ulong d, uint v, ulong n) {
  wb_native_fill(M + d, v & 0xffu, n);
}
static inline void wb_move_bytes(wb_mem M, ulong d, ulong s, ulong n) {
  wb_native_move(M + d, M + s, n);
}
// memcpy(d, s in another memory, n).
static inline void wb_copy_bytes(wb_mem M, ulong d, wb_mem N, ulong s, ulong n) {
  wb_native_move(M + d, N + s, n);
}

