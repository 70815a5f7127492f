// ---- bytes of memories that are found by words (GPUs).

// An address that is known to be a multiple of 4 or of 2, so that compilers know it too: below, the
// branches for a second word then go.
static inline uint wb_at_word(uint a) { return a & 0xfffffffcu; }
static inline uint wb_at_half(uint a) { return a & 0xfffffffeu; }
// Of a tile's bytes. So compilers see which words lie in one tile, and take them together.
static inline uint wb_at_tile(uint a) { return a & ~(WB_TILE_WORDS * 4u - 1u); }
// One whose lowest `bits` are known to be `place`.
static inline uint wb_at_place(uint a, uint bits, uint place) {
  return (a & (0xffffffffu << bits)) | place;
}

// The module's data that the lane has not written (read_only_data.metal): one copy serves all lanes.
static inline bool wb_has_copies() { return true; }

static inline uint wb_shift_of(ulong ea) { return ((uint)ea & 3u) * 8u; }

static inline uint wb_peek8(wb_mem M, ulong ea) {
  return (wb_memory_get(M, wb_word_of(ea)) >> wb_shift_of(ea)) & 0xffu;
}
static inline uint wb_peek16(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  uint v = wb_memory_get(M, w) >> shift;
  if (shift == 24u) {
    v = v | (wb_memory_get(M, w + WB_NEXT_WORD) << 8u);
  }
  return v & 0xffffu;
}
static inline uint wb_peek32(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  uint v = wb_memory_get(M, w);
  if (shift != 0u) {
    v = (v >> shift) | (wb_memory_get(M, w + WB_NEXT_WORD) << (32u - shift));
  }
  return v;
}
static inline ulong wb_peek64(wb_mem M, ulong ea) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  ulong v = (ulong)wb_memory_get(M, w) | ((ulong)wb_memory_get(M, w + WB_NEXT_WORD) << 32u);
  if (shift != 0u) {
    v = (v >> shift) | ((ulong)wb_memory_get(M, w + 2u * WB_NEXT_WORD) << (64u - shift));
  }
  return v;
}

// The byte itself. Where its place in the word is known, the word's other bytes are often read or
// written as well, and compilers make one access of all of them; so there the two above and below.
static inline uint wb_peek_byte(wb_mem M, ulong ea) { return (uint)wb_byte_of(M, (uint)ea)[0]; }
static inline void wb_poke_byte(wb_mem M, ulong ea, uint v) {
  wb_byte_of(M, (uint)ea)[0] = (uchar)(v & 0xffu);
}

static inline void wb_poke8(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  wb_memory_put(M, w, (wb_memory_get(M, w) & ~(0xffu << shift)) | ((v & 0xffu) << shift));
}
static inline void wb_poke16(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  wb_memory_put(M, w, (wb_memory_get(M, w) & ~(0xffffu << shift)) | ((v & 0xffffu) << shift));
  if (shift == 24u) {
    w = w + WB_NEXT_WORD;
    wb_memory_put(M, w, (wb_memory_get(M, w) & 0xffffff00u) | ((v >> 8u) & 0xffu));
  }
}
static inline void wb_poke32(wb_mem M, ulong ea, uint v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  if (shift == 0u) {
    wb_memory_put(M, w, v);
  } else {
    uint mask = 0xffffffffu << shift;
    wb_memory_put(M, w, (wb_memory_get(M, w) & ~mask) | (v << shift));
    w = w + WB_NEXT_WORD;
    wb_memory_put(M, w, (wb_memory_get(M, w) & mask) | (v >> (32u - shift)));
  }
}
static inline void wb_poke64(wb_mem M, ulong ea, ulong v) {
  uint w = wb_word_of(ea);
  uint shift = wb_shift_of(ea);
  if (shift == 0u) {
    wb_memory_put(M, w, (uint)v);
    wb_memory_put(M, w + WB_NEXT_WORD, (uint)(v >> 32u));
  } else {
    uint mask = 0xffffffffu << shift;
    wb_memory_put(M, w, (wb_memory_get(M, w) & ~mask) | ((uint)v << shift));
    wb_memory_put(M, w + WB_NEXT_WORD, (uint)(v >> (32u - shift)));
    w = w + 2u * WB_NEXT_WORD;
    wb_memory_put(M, w, (wb_memory_get(M, w) & mask) | (uint)(v >> (64u - shift)));
  }
}

// memset(d, low byte of v, n), and below memmove and memcpy: whole words of `d` where there are, eight
// at a time. Of those all are read before one is written, so a lane waits for memory once.
static __attribute__((noinline)) void wb_fill_bytes(wb_mem M, ulong d, uint v, ulong n) {
  wb_mem to = wb_settled(M);
  uint word = (v & 0xffu) * 0x01010101u;
  while (n != 0ul) {
    ulong step = (d & 3ul) != 0ul || n < 4ul ? 1ul : n < 32ul ? 4ul : 32ul;
    if (step == 32ul) {
      wb_words P = wb_words_at(to, (uint)d);
      for (uint w = 0u; w < 8u; w += 1u) {
        wb_word_put(P, (ulong)w, word);
      }
    } else if (step == 4ul) {
      wb_memory_put(to, wb_word_of(d), word);
    } else {
      wb_poke_byte(to, d, v);
    }
    d = d + step;
    n = n - step;
  }
}

// 32 bytes from `s` of N to `d` of M, which is a multiple of 4.
static inline void wb_move_eight(wb_mem M, uint d, wb_mem N, uint s) {
  wb_words from = wb_words_at(N, s);
  wb_words to = wb_words_at(M, d);
  uint shift = (s & 3u) * 8u;
  uint v[9];
  for (uint w = 0u; w < 8u; w += 1u) {
    v[w] = wb_word_get(from, (ulong)w);
  }
  if (shift != 0u) {
    v[8] = wb_word_get(from, 8ul);
    for (uint w = 0u; w < 8u; w += 1u) {
      v[w] = (v[w] >> shift) | (v[w + 1u] << (32u - shift));
    }
  }
  for (uint w = 0u; w < 8u; w += 1u) {
    wb_word_put(to, (ulong)w, v[w]);
  }
}

// From the end that is safe: the first bytes first, or the last.
static __attribute__((noinline))
void wb_transfer_bytes(wb_mem M, ulong d, wb_mem N, ulong s, ulong n, bool forward) {
  wb_mem to = wb_settled(M);
  wb_mem from = wb_settled(N);
  while (n != 0ul) {
    ulong edge = forward ? d : d + n;
    ulong step = (edge & 3ul) != 0ul || n < 4ul ? 1ul : n < 32ul ? 4ul : 32ul;
    ulong skip = forward ? 0ul : n - step;
    if (step == 32ul) {
      wb_move_eight(to, (uint)(d + skip), from, (uint)(s + skip));
    } else if (step == 4ul) {
      wb_memory_put(to, wb_word_of(d + skip), wb_peek32(from, s + skip));
    } else {
      wb_poke_byte(to, d + skip, wb_peek_byte(from, s + skip));
    }
    d = forward ? d + step : d;
    s = forward ? s + step : s;
    n = n - step;
  }
}

// memmove(d, s, n); memcpy(d, s in another memory, n).
static inline void wb_move_bytes(wb_mem M, ulong d, ulong s, ulong n) {
  wb_transfer_bytes(M, d, M, s, n, d <= s);
}
static inline void wb_copy_bytes(wb_mem M, ulong d, wb_mem N, ulong s, ulong n) {
  wb_transfer_bytes(M, d, N, s, n, true);
}
