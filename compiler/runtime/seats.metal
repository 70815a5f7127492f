// ---- seats: which instance a lane runs: the seat that it has as a launch begins, those that it takes
// where they are queued, when it waits for its group before that, and when the launch is over.

static inline void wb_report(WbSeat S) {
  S.record[WB_RECORD_FUEL_LO] = wb_get(S.lane, WB_LANE_FUEL_LO);
  S.record[WB_RECORD_FUEL_HI] = wb_get(S.lane, WB_LANE_FUEL_HI);
  S.record[WB_RECORD_PAGES] = wb_get(S.lane, WB_LANE_PAGES);
  S.record[WB_RECORD_STEP] = wb_get(S.lane, WB_LANE_STEP);
}

// The seat as the launch finds it, started if it is new; true if the lane is to run. One that waited
// for memory and is to go on finds that it has it. One that waited for room for its output asks anew.
static inline bool wb_enter(WbSeat S, const device uint *image, constant WbParams &P) {
  if (S.record[WB_RECORD_SEAT] == WB_SEAT_START) {
    S.record[WB_RECORD_QUEUED] = 0u;
    wb_start_instance(S, image, P);
    if (S.record[WB_RECORD_SEAT] == WB_SEAT_RUNNING && wb_get(S.lane, WB_LANE_STEP) > P.steps) {
      wb_end_instance(S, WB_END_RETURNED);
    }
    if (S.record[WB_RECORD_SEAT] != WB_SEAT_NEEDS_MEMORY) {
      wb_report(S);
    }
  }
  bool runs = S.record[WB_RECORD_SEAT] == WB_SEAT_RUNNING;
  if (runs) {
    S.record[WB_RECORD_OUT_WAITS] = 0u;
  }
  if (runs && wb_get(S.lane, WB_LANE_WANTED_PAGES) != 0u) {
    wb_put(S.lane, WB_LANE_WANTED_PAGES, 0u);
    S.record[WB_RECORD_WANTED_PAGES] = 0u;
  }
  return runs;
}

static inline WbSeat wb_at_seat(WbSeat S, device uint *records, uint seat, constant WbParams &P) {
  S.seat = seat;
  S.record = records + (ulong)seat * (ulong)P.record_words;
  return S;
}

// The instance of a seat was left midway, to go on in the same lane.
static inline bool wb_is_left(device uint *record) {
  uint seat = record[WB_RECORD_SEAT];
  return seat == WB_SEAT_RUNNING ||
         (seat == WB_SEAT_NEEDS_MEMORY && record[WB_RECORD_WANTED_PAGES] != 0u);
}

// The seat that a lane has as the launch begins, or WB_NONE. Where seats are queued, it is the seat
// of the instance that was left in this lane, if the host has not given that seat to another
// instance. In that case another lane may write the seat's record by now, all but RECORD_TURN.
static inline uint wb_held_seat(wb_lane L, device uint *records, uint gid, constant WbParams &P) {
  uint seat = gid;
  if (P.seats != 0u) {
    seat = P.lanes_are_new != 0u ? WB_NONE : wb_get(L, WB_LANE_SEAT) - 1u;
    if (seat < P.seats) {
      device uint *record = records + (ulong)seat * (ulong)P.record_words;
      if (record[WB_RECORD_TURN] != wb_get(L, WB_LANE_TURN) || !wb_is_left(record)) {
        seat = WB_NONE;
      }
    }
    wb_put(L, WB_LANE_SEAT, seat + 1u);
    if (P.lanes_are_new != 0u) {
      wb_put64(L, WB_LANE_FUEL_LO, 0ul);  // of no instance: wb_waits_for_group looks at it
    }
  }
  return seat;
}

// A seat of the queue that is to start, taken by this lane alone. At least P.seats: none is left;
// but WB_NONE: none yet, there are more to look at.
static inline uint wb_take_seat(device uint *records, device atomic_uint *control,
                                constant WbParams &P) {
  uint seat = 0u;
  bool found = false;
  #pragma unroll 1
  for (uint i = 0u; i < WB_SEATS_TRIED && !found; i += 1u) {
    seat = metal::atomic_fetch_add_explicit(&control[WB_CONTROL_NEXT], 1u,
                                            metal::memory_order_relaxed);
    found = seat >= P.seats ||
            records[(ulong)seat * (ulong)P.record_words + WB_RECORD_QUEUED] == 1u;
  }
  return found ? seat : WB_NONE;
}

// Instances of equal length end within a turn or two of one another. A lane that wants another seat
// waits for the lanes of its group that are about as far as the first one that ended, unless too
// many are elsewhere. All of them then begin together, and stay together. `wait` bounds it, two quanta
// where the job gives no hint, since the others run on meanwhile; it does not pay for instances
// shorter than two quanta.
static inline bool wb_waits_for_group(wb_lane L, bool running, bool wants, uint quantum,
                                      uint wait) {
  uint fuel = wb_get(L, WB_LANE_FUEL_LO);  // modulo 2^32: an estimate
  uint first = metal::simd_min(wants ? fuel : 0xffffffffu);
  bool soon = running && fuel - (first - (wait >> 1u)) <= wait;
  uint ending = metal::simd_sum(soon ? 1u : 0u);
  uint elsewhere = metal::simd_sum(running && !soon ? 1u : 0u);
  return first >= 2u * quantum && ending != 0u && elsewhere <= WB_GROUP_LANES / 4u;
}

// The lane's instance does not run on in this launch. The lane gives its seat back, so that it may
// take another one, unless the instance waits for memory or for its output to be taken: then the lane
// is idle and keeps the seat. True: the lane has no seat.
static inline bool wb_let_go(WbSeat S, device atomic_uint *control) {
  bool waits = wb_is_left(S.record);
  if (waits) {
    metal::atomic_fetch_add_explicit(&control[WB_CONTROL_IDLE], 1u, metal::memory_order_relaxed);
  } else {
    wb_put(S.lane, WB_LANE_SEAT, 0u);
    S.record[WB_RECORD_LANE] = 0u;
  }
  return !waits;
}

// Whether the launch is to end: the host said so, or too many lanes have nothing to do.
static inline bool wb_is_over(device atomic_uint *control, constant WbParams &P) {
  uint stop = metal::atomic_load_explicit(&control[WB_CONTROL_STOP], metal::memory_order_relaxed);
  bool over = stop != 0u;
  if (P.seats != 0u && !over) {
    over = metal::atomic_load_explicit(&control[WB_CONTROL_IDLE], metal::memory_order_relaxed) >
           P.most_idle;
  }
  return over;
}

// Adds to a count of two words, of which `at` is the low one. The sum is right once all have added.
static inline void wb_add_count(device atomic_uint *control, uint at, ulong more) {
  uint low = (uint)more;
  uint before =
      metal::atomic_fetch_add_explicit(&control[at], low, metal::memory_order_relaxed);
  uint high = (uint)(more >> 32u) + (before + low < before ? 1u : 0u);
  if (high != 0u) {
    metal::atomic_fetch_add_explicit(&control[at + 1u], high, metal::memory_order_relaxed);
  }
}

// Where lanes run in step: what the group's lanes spent in this launch, and for how long it was
// there. All of its lanes come here together; the first one counts for all. It may be any lane: a
// block has fewer lanes than a group where no more fit (hot bytes).
static inline void wb_count_lane_fuel(device atomic_uint *control, uint gid, ulong spent,
                                      ulong stepped) {
  // A sum of 32 parts of 24 bits fits a word.
  ulong useful = (ulong)metal::simd_sum((uint)spent & 0xffffffu);
  useful += (ulong)metal::simd_sum((uint)(spent >> 24u) & 0xffffffu) << 24u;
  useful += (ulong)metal::simd_sum((uint)(spent >> 48u)) << 48u;
  if (metal::simd_min(gid) == gid && stepped != 0ul) {
    wb_add_count(control, WB_CONTROL_USEFUL_LO, useful);
    wb_add_count(control, WB_CONTROL_STEPPED_LO, stepped);
  }
}
