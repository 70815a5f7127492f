// ---- memories besides the first: they lie behind it, each with a reserve of its own (RESERVE_* in
// compiler/abi/lane.def). The size of each is a word of the lane, that of the first WB_LANE_PAGES.

static inline uint wb_reserve_word(uint number) { return WB_GLOBALS_AT - number * WB_RESERVE_WORDS; }

static inline wb_mem wb_memory_at(wb_lane L, uint number) {
  if (number == 0u) {
    return wb_memory(L);
  }
  ulong first = (ulong)wb_get(L, wb_reserve_word(number) + WB_RESERVE_AT);
  ulong window = WB_WINDOWED != 0u ? (ulong)(wb_get(L, WB_LANE_WINDOW_BYTES) >> 2u) : 0ul;
  return wb_memory_from(L, (ulong)WB_MEMORY_AT + window + first * (ulong)(WB_PAGE_BYTES / 4u));
}

static inline uint wb_reserved_pages(wb_lane L, uint number) {
  return number == 0u ? wb_get(L, WB_LANE_CAPACITY_PAGES)
                      : wb_get(L, wb_reserve_word(number) + WB_RESERVE_PAGES);
}

static inline ulong wb_bytes_of(uint pages) { return (ulong)pages * (ulong)WB_PAGE_BYTES; }

// As wb_memory_grow, of memory `number`. Its size is the word `at`, its own maximum is `most`, and
// WB_LANE_MAX_PAGES is the job's limit for the largest of all.
static inline uint wb_memory_grow_at(wb_lane L, uint number, uint at, uint most, uint delta) {
  uint old_pages = wb_get(L, at);
  ulong pages = (ulong)old_pages + (ulong)delta;
  uint result = old_pages;
  if (pages > (ulong)wb_get(L, WB_LANE_MAX_PAGES) || pages > (ulong)most) {
    result = WB_GROW_REFUSED;
  } else if (pages > (ulong)wb_reserved_pages(L, number)) {
    wb_put(L, WB_LANE_WANTED_PAGES, (uint)pages | (number << WB_WANTED_MEMORY_SHIFT));
    result = WB_GROW_LEAVES;
  } else {
    if (number == 0u) {
      wb_clear_grown(L, old_pages, (uint)pages);
    } else {
      wb_fill_bytes(wb_memory_at(L, number), wb_bytes_of(old_pages), 0u, wb_bytes_of(delta));
    }
    wb_put(L, at, (uint)pages);
  }
  return result;
}


// As wb_memory_copy_chunk, from `N` to another memory. Which end comes first matters only for where a
// copy that is left midway goes on.
static inline void wb_memory_copy_between(wb_mem M, uint d, wb_mem N, uint s, uint n) {
  uint piece = n < WB_BULK_CHUNK_BYTES ? n : WB_BULK_CHUNK_BYTES;
  ulong skip = (ulong)wb_chunk_at(d, s, n);
  wb_copy_bytes(M, (ulong)d + skip, N, (ulong)s + skip, (ulong)piece);
}
