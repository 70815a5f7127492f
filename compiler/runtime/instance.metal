// ---- instance: what a launch is given, and how an instance begins and ends. Numbers:
// compiler/abi/lane.def.

// As abi::Params in compiler/abi/lane.h, which says what each is.
struct WbParams {
  uint lanes;
  uint steps;
  uint record_words;
  uint output_at;
  uint output_bytes;
  uint capacity_pages;
  uint max_pages;
  uint max_stack;
  uint quantum;
  uint memory_is_zero;
  uint lane_words_lo;
  uint lane_words_hi;
  uint slice_lo;
  uint slice_hi;
  uint slice_step;
  uint max_fuel_lo;
  uint max_fuel_hi;
  uint frames_at;
  uint capacity_stack;
  uint seats;
  uint lanes_are_new;
  uint most_idle;
  uint reserved[2];
};

// What one lane works on. `record` is its seat's; what follows is shared and read only.
struct WbSeat {
  wb_lane lane;
  device uint *record;
  const device uint *program;
  const device uint *columns;
  const device uint *blob;
  uint seat;
  uint seats;
};

static inline ulong wb_join(uint low, uint high) { return (ulong)low | ((ulong)high << 32u); }

// The bytes of an image range to memory; `at` is the image word where they begin.
static inline void wb_reset_range(wb_mem M, const device uint *image, uint at, uint d, uint n) {
  uint whole = n & ~3u;
  for (uint i = 0u; i < whole; i += 4u) {
    wb_poke32(M, (ulong)d + (ulong)i, image[at + (i >> 2u)]);
  }
  for (uint i = whole; i < n; i += 1u) {
    wb_poke8(M, (ulong)d + (ulong)i, image[at + (i >> 2u)] >> ((i & 3u) * 8u));
  }
}

// `count` ranges from the image word `at` on, which are address, bytes and the bytes; the word behind.
static inline uint wb_reset_ranges(wb_mem M, const device uint *image, uint at, uint count) {
  for (uint r = 0u; r < count; r += 1u) {
    wb_reset_range(M, image, at + 2u, image[at], image[at + 1u]);
    at = at + 2u + (image[at + 1u] >> 2u) + ((image[at + 1u] & 3u) != 0u ? 1u : 0u);
  }
  return at;
}

static inline void wb_reset_header(wb_lane L, const device uint *image, constant WbParams &P) {
  for (uint i = 0u; i < WB_LANE_STAGE; i += 1u) {
    wb_put(L, i, 0u);
  }
  wb_put(L, WB_LANE_PAGES, image[0]);
  // A segment that does not fit ends the instance in instantiation, as a start function may.
  wb_put(L, WB_LANE_STEP, image[5] != 0u || image[3] != 0u ? 0u : 1u);
  wb_put(L, WB_LANE_MAX_STACK, P.max_stack);
  wb_put(L, WB_LANE_MAX_PAGES, P.max_pages);
  wb_put(L, WB_LANE_CAPACITY_PAGES, P.capacity_pages);
  wb_put(L, WB_LANE_MEMORY_IS_ZERO, P.memory_is_zero);
  wb_put(L, WB_LANE_FRAMES_AT, P.frames_at);
  wb_put(L, WB_LANE_CAPACITY_STACK, P.capacity_stack);
}

// The tables in the lane; `at` is the image word where they begin.
static inline void wb_reset_tables(wb_lane L, const device uint *image, uint at) {
  for (uint t = 0u; t < image[6]; t += 1u) {
    uint to = WB_GLOBALS_AT + image[at];
    uint size = image[at + 1u];
    uint given = image[at + 2u];
    at = at + 3u;
    for (uint i = 0u; i < size; i += 1u) {
      wb_put(L, to + i, i < given ? image[at + i] : 0u);
    }
    at = at + given;
  }
}

// Several memories; `at` is the image word where they are described. The first one is reset already,
// but for its size: image[0] is the largest's.
static inline void wb_reset_memories(wb_lane L, const device uint *image, uint at, bool is_zero) {
  uint count = image[at];
  at = at + 1u;
  for (uint m = 0u; m < count; m += 1u) {
    wb_mem M = wb_memory_at(L, m);
    uint pages = image[at];
    if (m == 0u) {
      wb_put(L, WB_LANE_PAGES, pages);
    } else if (!is_zero) {
      wb_fill_bytes(M, 0ul, 0u, wb_bytes_of(pages));
    }
    at = wb_reset_ranges(M, image, at + 2u, image[at + 1u]);
  }
}

// Makes the lane and its record what a fresh instance finds; nothing of an earlier one stays.
static inline void wb_reset(WbSeat S, const device uint *image, constant WbParams &P) {
  wb_lane L = S.lane;
  wb_mem M = wb_memory(L);
  wb_reset_header(L, image, P);
  for (uint i = 1u; i < P.output_at; i += 1u) {
    S.record[i] = 0u;
  }
  for (uint i = 0u; i < image[1]; i += 1u) {
    wb_put(L, WB_GLOBALS_AT + i, image[8u + i]);
  }
  if (P.memory_is_zero == 0u) {
    wb_fill_bytes(M, 0ul, 0u, wb_memory_bytes(L));
  }
  wb_reset_tables(L, image, wb_reset_ranges(M, image, 8u + image[1], image[2]));
  if (image[7] != 0u) {
    wb_reset_memories(L, image, image[7], P.memory_is_zero != 0u);
  }
}

static inline void wb_end_instance(WbSeat S, uint end) {
  S.record[WB_RECORD_SEAT] = WB_SEAT_DONE;
  S.record[WB_RECORD_END] = end;
  if (end == WB_END_TRAPPED) {
    S.record[WB_RECORD_TRAP] = wb_get(S.lane, WB_LANE_TRAP);
    S.record[WB_RECORD_TRAP_FUNCTION] = wb_get(S.lane, WB_LANE_TRAP_FUNCTION);
    S.record[WB_RECORD_TRAP_OFFSET] = wb_get(S.lane, WB_LANE_TRAP_OFFSET);
  }
}

// A seat in WB_SEAT_START becomes one that runs, has ended (a segment that does not fit) or needs
// more memory than is reserved.
static inline void wb_start_instance(WbSeat S, const device uint *image, constant WbParams &P) {
  if (image[0] > P.capacity_pages) {
    S.record[WB_RECORD_SEAT] = WB_SEAT_NEEDS_MEMORY;
  } else {
    wb_reset(S, image, P);
    S.record[WB_RECORD_SEAT] = WB_SEAT_RUNNING;
    if (image[3] != 0u) {
      wb_put_trap(S.lane, image[3], WB_NONE, image[4]);
      wb_end_instance(S, WB_END_TRAPPED);
    }
  }
}

