// ---- instance: how an instance begins and ends. Numbers: compiler/abi/lane.def; what a launch is
// given (`WbParams`): compiler/abi/params.def.

// What one lane works on. `record` is its seat's; what follows is shared and read only.
struct WbSeat {
  wb_lane lane;
  device uint *record;
  const device uint *program;
  const device uint *columns;
  const device uint *blob;
  const device uint *kept;  // an input that the device keeps
  uint seat;
  uint seats;
};

static inline ulong wb_join(uint low, uint high) { return (ulong)low | ((ulong)high << 32u); }

// Which bytes of a memory a lane holds.
struct WbHeld {
  ulong from;  // a multiple of 4
  ulong end;
};

// The bytes of an image range to memory, where `stale` has their span and the lane holds them; `at` is
// the image word where they begin. A piece goes on to the first word of the range that begins in
// another span.
static __attribute__((noinline))
void wb_reset_range(wb_mem M, WbHeld held, const device uint *image, uint at, uint d, uint n,
                    uint stale, uint shift) {
  uint i = (ulong)d < held.from ? ((uint)held.from - d + 3u) & ~3u : 0u;
  n = (ulong)d + (ulong)n > held.end ? (uint)held.end - d : n;
  n = (ulong)d < held.end ? n : 0u;
  #pragma unroll 1
  while (i < n) {
    uint left = (1u << shift) - ((d + i) & ((1u << shift) - 1u));
    uint end = n - i > left ? i + ((left + 3u) & ~3u) : n;
    end = end < n ? end : n;
    uint whole = end & ~3u;
    uint spans = wb_span_of(d + i, shift) | wb_span_of(d + end - 1u, shift);
    if ((stale & spans) == 0u) {
      i = end;
    }
    #pragma unroll 1
    while (i < whole) {
      wb_poke32(M, (ulong)d + (ulong)i, image[at + (i >> 2u)]);
      i = i + 4u;
    }
    #pragma unroll 1
    while (i < end) {
      wb_poke8(M, (ulong)d + (ulong)i, image[at + (i >> 2u)] >> ((i & 3u) * 8u));
      i = i + 1u;
    }
  }
}

// `count` ranges from the image word `at` on, which are address, bytes and the bytes; the word behind.
static inline uint wb_reset_ranges(wb_mem M, WbHeld held, const device uint *image, uint at,
                                   uint count, uint stale, uint shift) {
  #pragma unroll 1
  for (uint r = 0u; r < count; r += 1u) {
    uint d = image[at + WB_IMAGE_RANGE_ADDRESS];
    uint n = image[at + WB_IMAGE_RANGE_BYTES];
    wb_reset_range(M, held, image, at + WB_IMAGE_RANGE_DATA, d, n, stale, shift);
    at = at + WB_IMAGE_RANGE_DATA + (n >> 2u) + ((n & 3u) != 0u ? 1u : 0u);
  }
  return at;
}

// What of the first memory a fresh instance must not find.
struct WbStale {
  uint spans;    // that were written, or of which nothing is known
  uint written;  // pages that may have been
  uint clean;    // WB_LANE_CLEAN_PAGES of the fresh instance
};

// Before the header is reset.
static inline WbStale wb_stale(wb_lane L, uint pages, constant WbParams &P) {
  WbStale stale;
  stale.spans = 0xffffffffu;
  stale.written = P.memory_is_zero != 0u ? 0u : pages;
  stale.clean = wb_get(L, WB_LANE_CLEAN_PAGES);
  if (stale.clean != 0u) {
    stale.spans = ~(wb_get(L, WB_LANE_KEPT) & wb_get(L, WB_LANE_FRESH));
    stale.written = wb_get(L, WB_LANE_PAGES);
  } else {  // no instance wrote to the rest of a new lane
    stale.clean = P.memory_is_zero != 0u ? P.capacity_pages : pages;
  }
  return stale;
}

// Zeros where an instance wrote: in its spans and, as far as one store may have gone on, behind them.
static inline void wb_clear_stale(wb_lane L, WbStale stale, uint shift) {
  ulong end = (ulong)stale.written * (ulong)WB_PAGE_BYTES;
  ulong span = 1ul << shift;
  ulong high = wb_window_end(L);
  end = end < high ? end : high;
  #pragma unroll 1
  for (ulong at = (ulong)(wb_window_from(L) >> shift) << shift; at < end; at += span) {
    if ((stale.spans & wb_span_of((uint)at, shift)) != 0u) {
      ulong bytes = span + (ulong)WB_SPILL_BYTES;
      wb_clear_memory(L, at, bytes < end - at ? at + bytes : end);
    }
  }
}

static inline void wb_reset_header(wb_lane L, const device uint *image, constant WbParams &P) {
  #pragma unroll 1
  for (uint i = 0u; i < WB_LANE_STAGE; i += 1u) {
    wb_put(L, i, 0u);
  }
  wb_put(L, WB_LANE_PAGES, image[WB_IMAGE_PAGES]);
  // A segment that does not fit ends the instance in instantiation, as a start function may.
  bool instantiates = image[WB_IMAGE_START] != 0u || image[WB_IMAGE_TRAP] != 0u;
  wb_put(L, WB_LANE_STEP, instantiates ? 0u : 1u);
  wb_put(L, WB_LANE_MAX_STACK, P.max_stack);
  wb_put(L, WB_LANE_MAX_PAGES, P.max_pages);
  wb_put(L, WB_LANE_CAPACITY_PAGES, P.capacity_pages);
  wb_put(L, WB_LANE_FRAMES_AT, P.frames_at);
  wb_put(L, WB_LANE_CAPACITY_STACK, P.capacity_stack);
  wb_put(L, WB_LANE_WINDOW_FROM, P.window_from);
  wb_put(L, WB_LANE_WINDOW_BYTES, P.window_bytes);
}

// The tables in the lane; `at` is the image word where they begin.
static inline void wb_reset_tables(wb_lane L, const device uint *image, uint at) {
  #pragma unroll 1
  for (uint t = 0u; t < image[WB_IMAGE_TABLES]; t += 1u) {
    uint to = WB_GLOBALS_AT + image[at + WB_IMAGE_TABLE_AT];
    uint size = image[at + WB_IMAGE_TABLE_SIZE];
    uint given = image[at + WB_IMAGE_TABLE_GIVEN];
    at = at + WB_IMAGE_TABLE_ELEMENTS;
    #pragma unroll 1
    for (uint i = 0u; i < size; i += 1u) {
      wb_put(L, to + i, i < given ? image[at + i] : 0u);
    }
    at = at + given;
  }
}

// What is reserved for memory `number`, which begins with `pages`, may have `most` and lies `first`
// pages behind memory 0, or behind its window (LaneLayout::PagesOf).
static inline uint wb_reset_reserve(wb_lane L, uint number, uint first, uint pages, uint most,
                                    constant WbParams &P) {
  uint reserved = P.capacity_pages < most ? P.capacity_pages : most;
  reserved = P.window_bytes == 0u ? reserved : 0u;
  if (number != 0u) {
    most = P.max_pages < most ? P.max_pages : most;
    uint further = most > pages ? most - pages : 0u;
    reserved = pages + (P.further_pages < further ? P.further_pages : further);
    wb_put(L, wb_reserve_word(number) + WB_RESERVE_AT, first);
    wb_put(L, wb_reserve_word(number) + WB_RESERVE_PAGES, reserved);
  }
  return reserved;
}

// Memories besides the first: writes to them are not noted. `at` is the image word where all are
// described.
static inline void wb_reset_memories(wb_lane L, const device uint *image, uint at,
                                     constant WbParams &P) {
  uint count = image[at];
  uint first = 0u;
  at = at + WB_IMAGE_MEMORIES_LIST;
  #pragma unroll 1
  for (uint m = 0u; m < count; m += 1u) {
    uint pages = image[at + WB_IMAGE_MEMORY_PAGES];
    uint most = image[at + WB_IMAGE_MEMORY_MOST];
    uint ranges = image[at + WB_IMAGE_MEMORY_RANGES];
    first = first + wb_reset_reserve(L, m, first, pages, most, P);
    at = at + WB_IMAGE_MEMORY_DATA;
    if (m != 0u) {
      wb_mem M = wb_memory_at(L, m);
      wb_fill_bytes(M, 0ul, 0u, wb_bytes_of(pages));
      WbHeld all;
      all.from = 0ul;
      all.end = ~0ul;
      at = wb_reset_ranges(M, all, image, at, ranges, 0xffffffffu, 31u);
    }
  }
}

// Makes the lane and its record what a fresh instance finds; nothing of an earlier one stays.
static inline void wb_reset(WbSeat S, const device uint *image, constant WbParams &P) {
  wb_lane L = S.lane;
  WbStale stale = wb_stale(L, image[WB_IMAGE_PAGES], P);
  wb_reset_header(L, image, P);
  for (uint i = WB_RECORD_END; i < P.output_at; i += 1u) {  // its turn is the host's
    S.record[i] = 0u;
  }
  uint globals = image[WB_IMAGE_GLOBALS];
  #pragma unroll 1
  for (uint i = 0u; i < globals; i += 1u) {
    wb_put(L, WB_GLOBALS_AT + i, image[WB_IMAGE_HEADER_WORDS + i]);
  }
  uint ranges_at = WB_IMAGE_HEADER_WORDS + globals;
  if (image[WB_IMAGE_MEMORIES] != 0u) {
    wb_reset_memories(L, image, image[WB_IMAGE_MEMORIES], P);
  }
  wb_clear_stale(L, stale, P.span_shift);
  wb_put(L, WB_LANE_CLEAN_PAGES, stale.clean);
  wb_put(L, WB_LANE_KEPT, 0xffffffffu);
  wb_put(L, WB_LANE_FRESH, 0xffffffffu);
  // A span behind a written one may have lost its first bytes.
  stale.spans = stale.spans | (stale.spans << 1u) | (stale.spans >> 31u);
  WbHeld held;
  held.from = (ulong)wb_window_from(L);
  held.end = wb_window_end(L);
  uint tables_at = wb_reset_ranges(wb_memory(L), held, image, ranges_at, image[WB_IMAGE_RANGES],
                                   stale.spans, P.span_shift);
  wb_reset_tables(L, image, tables_at);
}

static inline void wb_end_instance(WbSeat S, uint end) {
  S.record[WB_RECORD_SEAT] = WB_SEAT_DONE;
  S.record[WB_RECORD_END] = end;
  if (end == WB_END_TRAPPED) {
    S.record[WB_RECORD_TRAP] = wb_get(S.lane, WB_LANE_TRAP);
    S.record[WB_RECORD_TRAP_FUNCTION] = wb_get(S.lane, WB_LANE_TRAP_FUNCTION);
    S.record[WB_RECORD_TRAP_OFFSET] = wb_get(S.lane, WB_LANE_TRAP_OFFSET);
  } else if (end == WB_END_EXITED) {
    S.record[WB_RECORD_TRAP] = wb_get(S.lane, WB_LANE_STAGE);
  }
}

// The step missed the lane's part of memory: the instance starts again elsewhere.
static inline bool wb_has_missed(WbSeat S) {
  uint missed = WB_WINDOWED != 0u ? wb_get(S.lane, WB_LANE_MISSED) : 0u;
  if (missed != 0u) {
    S.record[WB_RECORD_WANTED_PAGES] = 0u;
    S.record[WB_RECORD_TRAP_OFFSET] = missed;
    S.record[WB_RECORD_SEAT] = WB_SEAT_NEEDS_MEMORY;
  }
  return missed != 0u;
}

// A seat in WB_SEAT_START becomes one that runs, has ended (a segment that does not fit) or needs
// more memory than is reserved.
static __attribute__((noinline))
void wb_start_instance(WbSeat S, const device uint *image, constant WbParams &P) {
  if (image[WB_IMAGE_PAGES] > P.capacity_pages) {
    S.record[WB_RECORD_WANTED_PAGES] = 0u;
    S.record[WB_RECORD_SEAT] = WB_SEAT_NEEDS_MEMORY;
  } else {
    wb_reset(S, image, P);
    S.record[WB_RECORD_SEAT] = WB_SEAT_RUNNING;
    if (image[WB_IMAGE_TRAP] != 0u) {
      wb_put_trap(S.lane, image[WB_IMAGE_TRAP], WB_NONE, image[WB_IMAGE_TRAP_OFFSET]);
      wb_end_instance(S, WB_END_TRAPPED);
    }
  }
}

