// ---- layout: interleaved. Word w of the WB_GROUP_LANES lanes of a group lie side by side (GPUs).
// A lane is reached through wb_lane, its linear memory through wb_mem; nothing else in the text
// knows how a word or a byte of them is found. Both point at the lane's own word of the group.
// Addresses have passed their bounds check: < 2^32.
typedef device uint *wb_lane;
typedef device uint *wb_mem;

// `lane_words` is the size of a lane's whole state, memory reserve included.
static inline wb_lane wb_lane_at(device uint *state, uint gid, ulong lane_words) {
  ulong group = (ulong)(gid / WB_GROUP_LANES);
  return state + group * (ulong)WB_GROUP_LANES * lane_words + (ulong)(gid % WB_GROUP_LANES);
}
static inline uint wb_get(wb_lane L, uint w) { return L[(ulong)w * (ulong)WB_GROUP_LANES]; }
static inline void wb_put(wb_lane L, uint w, uint v) { L[(ulong)w * (ulong)WB_GROUP_LANES] = v; }
// The frame that begins at the lane's word `w`; its words are read and written as a lane's.
static inline wb_lane wb_frame(wb_lane L, uint w) { return L + (ulong)w * (ulong)WB_GROUP_LANES; }
// Words of the memory that a group shares: 32 of them lie side by side, from the lanes' word `at` on.
// `back`: words from where the first of these lanes begins to where L does.
static inline device uint *wb_group_word(wb_lane L, ulong back, uint at, uint w) {
  return L - back + (ulong)at * (ulong)WB_GROUP_LANES + (ulong)w;
}
// The byte of the first memory that its first word in the lane holds.
static inline uint wb_window_from(wb_lane L) {
  return WB_WINDOWED > 1u ? wb_get(L, WB_LANE_WINDOW_FROM) : 0u;
}
// As if the lane had all of the memory in front of its window, too.
static inline wb_mem wb_memory(wb_lane L) {
  ulong before = (ulong)(wb_window_from(L) >> 2u);
  return L + (ulong)WB_MEMORY_AT * (ulong)WB_GROUP_LANES - before * (ulong)WB_GROUP_LANES;
}
// A memory that begins at the lane's word `w`.
static inline wb_mem wb_memory_from(wb_lane L, ulong w) { return L + w * (ulong)WB_GROUP_LANES; }

// An address that is known to be a multiple of 4 or of 2, so that compilers know it too: below, the
// branches for a second word then go.
static inline uint wb_at_word(uint a) { return a & 0xfffffffcu; }
static inline uint wb_at_half(uint a) { return a & 0xfffffffeu; }

// The word that holds byte `ea`; the low word of the address is enough.
static inline uint wb_word_of(ulong ea) { return (uint)ea >> 2u; }
static inline uint wb_shift_of(ulong ea) { return ((uint)ea & 3u) * 8u; }

static inline uint wb_peek8(wb_mem M, ulong ea) {
  return (wb_get(M, wb_word_of(ea)) >> wb_shift_of(ea)) & 0xffu;
}
static inline uint wb_peek16(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  uint v = wb_get(M, w) >> shift;
  if (shift == 24u) {
    v = v | (wb_get(M, w + 1u) << 8u);
  }
  return v & 0xffffu;
}
static inline uint wb_peek32(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  uint v = wb_get(M, w);
  if (shift != 0u) {
    v = (v >> shift) | (wb_get(M, w + 1u) << (32u - shift));
  }
  return v;
}
static inline ulong wb_peek64(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  ulong v = (ulong)wb_get(M, w) | ((ulong)wb_get(M, w + 1u) << 32u);
  if (shift != 0u) {
    v = (v >> shift) | ((ulong)wb_get(M, w + 2u) << (64u - shift));
  }
  return v;
}

static inline void wb_poke8(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  wb_put(M, w, (wb_get(M, w) & ~(0xffu << shift)) | ((v & 0xffu) << shift));
}
static inline void wb_poke16(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  wb_put(M, w, (wb_get(M, w) & ~(0xffffu << shift)) | ((v & 0xffffu) << shift));
  if (shift == 24u) {
    wb_put(M, w + 1u, (wb_get(M, w + 1u) & 0xffffff00u) | ((v >> 8u) & 0xffu));
  }
}
static inline void wb_poke32(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  if (shift == 0u) {
    wb_put(M, w, v);
  } else {
    uint mask = 0xffffffffu << shift;
    wb_put(M, w, (wb_get(M, w) & ~mask) | (v << shift));
    wb_put(M, w + 1u, (wb_get(M, w + 1u) & mask) | (v >> (32u - shift)));
  }
}
static inline void wb_poke64(wb_mem M, ulong ea, ulong v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  if (shift == 0u) {
    wb_put(M, w, (uint)v);
    wb_put(M, w + 1u, (uint)(v >> 32u));
  } else {
    uint mask = 0xffffffffu << shift;
    wb_put(M, w, (wb_get(M, w) & ~mask) | ((uint)v << shift));
    wb_put(M, w + 1u, (uint)(v >> (32u - shift)));
    wb_put(M, w + 2u, (wb_get(M, w + 2u) & mask) | (uint)(v >> (64u - shift)));
  }
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

// memset(d, low byte of v, n).
static inline void wb_fill_bytes(wb_mem M, ulong d, uint v, ulong n) {
  uint word = (v & 0xffu) * 0x01010101u;
  while (n != 0ul) {
    if ((d & 3ul) == 0ul && n >= 4ul) {
      wb_put(M, wb_word_of(d), word);
      d = d + 4ul;
      n = n - 4ul;
    } else {
      wb_poke8(M, d, v);
      d = d + 1ul;
      n = n - 1ul;
    }
  }
}

// memmove(d, s, n): whole destination words where there are, from the end that is safe.
static inline void wb_move_bytes(wb_mem M, ulong d, ulong s, ulong n) {
  bool forward = d <= s;
  while (n != 0ul) {
    ulong edge = forward ? d : d + n;
    ulong step = (edge & 3ul) == 0ul && n >= 4ul ? 4ul : 1ul;
    ulong skip = forward ? 0ul : n - step;
    if (step == 4ul) {
      wb_put(M, wb_word_of(d + skip), wb_peek32(M, s + skip));
    } else {
      wb_poke8(M, d + skip, wb_peek8(M, s + skip));
    }
    d = forward ? d + step : d;
    s = forward ? s + step : s;
    n = n - step;
  }
}

// memcpy(d, s in another memory, n).
static inline void wb_copy_bytes(wb_mem M, ulong d, wb_mem N, ulong s, ulong n) {
  while (n != 0ul) {
    ulong step = (d & 3ul) == 0ul && n >= 4ul ? 4ul : 1ul;
    if (step == 4ul) {
      wb_put(M, wb_word_of(d), wb_peek32(N, s));
    } else {
      wb_poke8(M, d, wb_peek8(N, s));
    }
    d = d + step;
    s = s + step;
    n = n - step;
  }
}
