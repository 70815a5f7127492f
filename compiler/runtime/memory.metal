// ---- memory: what the memory operators do, after their bounds check.

// a + end > bytes in 64 bits, where end is the static offset plus the size of the access.
static inline bool wb_outside(ulong bytes, uint a, ulong end) { return (ulong)a + end > bytes; }
// The same where all of these but `a` are constants: `last` is the last address for the access. A
// comparison is left of it, where NVIDIA's compilers would add and compare two words.
static inline bool wb_beyond(uint a, uint last) { return a > last; }

// The same where the lane may hold a part of the memory: `bytes` and `low` are wb_memory_bytes and
// wb_window_low. An end below `low` wraps round to a large number.
static inline bool wb_misses(wb_lane L, ulong bytes, ulong low, uint a, ulong end) {
  ulong last = (ulong)a + end;
  return last - low > bytes - low && wb_note_miss(L, last);
}

static inline uint wb_i32_load(wb_mem M, uint a, ulong offset) {
  return wb_peek32(M, (ulong)a + offset);
}
static inline ulong wb_i64_load(wb_mem M, uint a, ulong offset) {
  return wb_peek64(M, (ulong)a + offset);
}
// Sign extension without signed arithmetic: flip the sign bit, take it away again.
static inline uint wb_i32_load8_s(wb_mem M, uint a, ulong offset) {
  return (wb_peek8(M, (ulong)a + offset) ^ 0x80u) - 0x80u;
}
static inline uint wb_i32_load8_u(wb_mem M, uint a, ulong offset) {
  return wb_peek8(M, (ulong)a + offset);
}
static inline uint wb_i32_load16_s(wb_mem M, uint a, ulong offset) {
  return (wb_peek16(M, (ulong)a + offset) ^ 0x8000u) - 0x8000u;
}
static inline uint wb_i32_load16_u(wb_mem M, uint a, ulong offset) {
  return wb_peek16(M, (ulong)a + offset);
}
static inline ulong wb_i64_load8_s(wb_mem M, uint a, ulong offset) {
  return ((ulong)wb_peek8(M, (ulong)a + offset) ^ 0x80ul) - 0x80ul;
}
static inline ulong wb_i64_load8_u(wb_mem M, uint a, ulong offset) {
  return (ulong)wb_peek8(M, (ulong)a + offset);
}

// The same of a byte alone, whose place in its word is not known (wb_peek_byte).
static inline uint wb_i32_load8_u_alone(wb_mem M, uint a, ulong offset) {
  return wb_peek_byte(M, (ulong)a + offset);
}
static inline uint wb_i32_load8_s_alone(wb_mem M, uint a, ulong offset) {
  return (wb_peek_byte(M, (ulong)a + offset) ^ 0x80u) - 0x80u;
}
static inline ulong wb_i64_load8_u_alone(wb_mem M, uint a, ulong offset) {
  return (ulong)wb_peek_byte(M, (ulong)a + offset);
}
static inline ulong wb_i64_load8_s_alone(wb_mem M, uint a, ulong offset) {
  return ((ulong)wb_peek_byte(M, (ulong)a + offset) ^ 0x80ul) - 0x80ul;
}
static inline void wb_i32_store8_alone(wb_mem M, uint a, ulong offset, uint v) {
  wb_poke_byte(M, (ulong)a + offset, v);
}
static inline void wb_i64_store8_alone(wb_mem M, uint a, ulong offset, ulong v) {
  wb_poke_byte(M, (ulong)a + offset, (uint)v);
}

static inline ulong wb_i64_load16_s(wb_mem M, uint a, ulong offset) {
  return ((ulong)wb_peek16(M, (ulong)a + offset) ^ 0x8000ul) - 0x8000ul;
}
static inline ulong wb_i64_load16_u(wb_mem M, uint a, ulong offset) {
  return (ulong)wb_peek16(M, (ulong)a + offset);
}
static inline ulong wb_i64_load32_s(wb_mem M, uint a, ulong offset) {
  return ((ulong)wb_peek32(M, (ulong)a + offset) ^ 0x80000000ul) - 0x80000000ul;
}
static inline ulong wb_i64_load32_u(wb_mem M, uint a, ulong offset) {
  return (ulong)wb_peek32(M, (ulong)a + offset);
}

static inline void wb_i32_store(wb_mem M, uint a, ulong offset, uint v) {
  wb_poke32(M, (ulong)a + offset, v);
}
static inline void wb_i64_store(wb_mem M, uint a, ulong offset, ulong v) {
  wb_poke64(M, (ulong)a + offset, v);
}
static inline void wb_i32_store8(wb_mem M, uint a, ulong offset, uint v) {
  wb_poke8(M, (ulong)a + offset, v);
}
static inline void wb_i32_store16(wb_mem M, uint a, ulong offset, uint v) {
  wb_poke16(M, (ulong)a + offset, v);
}
static inline void wb_i64_store8(wb_mem M, uint a, ulong offset, ulong v) {
  wb_poke8(M, (ulong)a + offset, (uint)v);
}
static inline void wb_i64_store16(wb_mem M, uint a, ulong offset, ulong v) {
  wb_poke16(M, (ulong)a + offset, (uint)v);
}
static inline void wb_i64_store32(wb_mem M, uint a, ulong offset, ulong v) {
  wb_poke32(M, (ulong)a + offset, (uint)v);
}

// ---- notes of writes: a bit for each span of 2^shift bytes, as in WB_LANE_KEPT. Addresses have passed
// their bounds check.
static inline uint wb_span_of(uint ea, uint shift) { return 1u << ((ea >> shift) & 31u); }

// Of the bytes from d to d + n.
static inline uint wb_spans_of(uint d, uint n, uint shift) {
  uint first = d >> shift;
  uint more = n == 0u ? 0u : ((d + (n - 1u)) >> shift) - first;
  uint bits = more >= 31u ? 0xffffffffu : (2u << more) - 1u;
  uint by = first & 31u;
  return by == 0u ? bits : (bits << by) | (bits >> (32u - by));
}

static inline void wb_note_written(wb_lane L, uint spans) {
  uint kept = wb_get(L, WB_LANE_KEPT);
  if ((kept & spans) != 0u) {
    wb_put(L, WB_LANE_KEPT, kept & ~spans);
  }
}

static inline bool wb_memory_fill_outside(ulong bytes, uint d, uint n) {
  return (ulong)d + (ulong)n > bytes;
}
static inline bool wb_memory_copy_outside(ulong bytes, uint d, uint s, uint n) {
  return (ulong)d + (ulong)n > bytes || (ulong)s + (ulong)n > bytes;
}

// The same where the lane may hold a part of the memory.
static inline bool wb_fill_misses(wb_lane L, ulong bytes, ulong low, uint d, uint n) {
  ulong last = (ulong)d + (ulong)n;
  if (WB_WINDOWED == 0u) {
    return last > bytes;
  }
  bool outside = n != 0u ? (ulong)d < low || last > bytes : last > wb_all_memory_bytes(L);
  return outside && wb_note_miss(L, last);
}
static inline bool wb_copy_misses(wb_lane L, ulong bytes, ulong low, uint d, uint s, uint n) {
  return wb_fill_misses(L, bytes, low, d, n) || wb_fill_misses(L, bytes, low, s, n);
}

// Where the piece of a copy that comes next begins, from both its ends: the first bytes if d <= s,
// else the last ones, so that what is left is again a memmove.
static inline uint wb_chunk_at(uint d, uint s, uint n) {
  return d <= s || n < WB_BULK_CHUNK_BYTES ? 0u : n - WB_BULK_CHUNK_BYTES;
}
// The spans that it writes.
static inline uint wb_chunk_spans(uint d, uint s, uint n, uint shift) {
  return wb_spans_of(d + wb_chunk_at(d, s, n), n < WB_BULK_CHUNK_BYTES ? n : WB_BULK_CHUNK_BYTES,
                     shift);
}

// One piece of memmove(d, s, n), at most WB_BULK_CHUNK_BYTES.
static inline void wb_memory_copy_chunk(wb_mem M, uint d, uint s, uint n) {
  uint piece = n < WB_BULK_CHUNK_BYTES ? n : WB_BULK_CHUNK_BYTES;
  ulong skip = (ulong)wb_chunk_at(d, s, n);
  wb_move_bytes(M, (ulong)d + skip, (ulong)s + skip, (ulong)piece);
}

// memset(d, low byte of v, n) for n up to WB_BULK_CHUNK_BYTES.
static inline void wb_memory_fill_chunk(wb_mem M, uint d, uint v, uint n) {
  wb_fill_bytes(M, (ulong)d, v, (ulong)n);
}

// A data segment of the text (words) from byte `s` on to memory, n up to WB_BULK_CHUNK_BYTES.
static inline void wb_memory_init_chunk(wb_mem M, uint d, constant uint *from, uint s, uint n) {
  uint i = 0u;
  while (i != n) {
    uint b = s + i;
    if ((b & 3u) == 0u && n - i >= 4u) {
      wb_poke32(M, (ulong)d + (ulong)i, from[b >> 2u]);
      i = i + 4u;
    } else {
      wb_poke8(M, (ulong)d + (ulong)i, from[b >> 2u] >> ((b & 3u) * 8u));
      i = i + 1u;
    }
  }
}
