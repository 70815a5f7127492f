// ---- entry: the one kernel. A thread is a lane; a lane runs its instance step by step, in quanta
// of fuel, until it ends or its slice is spent. Before it stands
//   static WbEnd wb_call(wb_lane L, bool active, uint function, uint low, uint fuel, uint resume);
// which takes arguments from and leaves results in the words from WB_LANE_STAGE on; a lane that is
// not active only keeps its group company.

// What a lane does between two meetings of its group: one step, or one quantum of a step's call.
struct WbTurn {
  uint kind;      // WB_STEP_CALL and the rest, 0: nothing
  uint step;      // word of the step in the program; WB_NONE for the start function
  uint function;  // calls
  uint resume;    // 1: the call was left midway
  uint grant;     // fuel
  ulong used;     // fuel of the instance before
};

// Fuel for the next quantum: at most the quantum, what is left of the slice and of the instance's
// limit. Over the limit it is -1: the next safepoint leaves, whatever comes before it still runs.
static inline uint wb_grant(uint quantum, ulong slice_left, ulong used, ulong max_fuel) {
  ulong grant = (ulong)quantum < slice_left ? (ulong)quantum : slice_left;
  if (used > max_fuel) {
    return 0xffffffffu;
  }
  return max_fuel - used < grant ? (uint)(max_fuel - used) : (uint)grant;
}

static inline ulong wb_max_fuel(constant WbParams &P) {
  return wb_join(P.max_fuel_lo, P.max_fuel_hi);
}

static inline WbTurn wb_next_turn(WbSeat S, bool running, uint start_function, ulong slice_left,
                                  constant WbParams &P) {
  WbTurn T;
  T.kind = 0u;
  T.step = WB_NONE;
  T.function = start_function;
  T.resume = 0u;
  T.grant = 0u;
  T.used = 0ul;
  if (running) {
    uint number = wb_get(S.lane, WB_LANE_STEP);
    T.kind = WB_STEP_CALL;
    T.resume = wb_get(S.lane, WB_LANE_RESUME);
    T.used = wb_get64(S.lane, WB_LANE_FUEL_LO);
    T.grant = wb_grant(P.quantum, slice_left, T.used, wb_max_fuel(P));
    if (number != 0u) {
      T.step = (number - 1u) * WB_STEP_WORDS;
      T.kind = S.program[T.step + WB_STEP_KIND];
      T.function = S.program[T.step + WB_STEP_FUNCTION];
    }
  }
  return T;
}

// A turn of those alone who are at the beginning of a call, up to its first safepoint, while the
// others of the group wait. Compilers make code of its own for that way into a function: a group in
// which some begin and some resume would run its loops twice until the quantum is over (seen on an
// H200: half the speed).
static inline WbTurn wb_first_stretch(WbTurn T) {
  T.kind = T.resume != 0u ? 0u : T.kind;
  T.grant = T.grant == 0xffffffffu ? T.grant : 0u;
  return T;
}

// Fuel that a lane keeps for the way to where its group meets: a quarter of a quantum. None where
// something else than the quantum ends its turn, an instance's limit above all: its lane leaves where
// that says, and would have its group leave over and over on the way there.
static inline uint wb_low_fuel(uint grant, uint quantum) {
  return grant == quantum ? quantum >> 2u : 0u;
}

// What a turn does besides the call itself: a whole step of another kind, or a call's arguments.
static inline WbEnd wb_before_call(WbSeat S, WbTurn T, constant WbParams &P) {
  WbEnd end;
  end.w = WB_RETURNED;
  end.fuel = T.grant;
  if (T.kind == WB_STEP_WRITE) {
    end.w = wb_step_write(S, T.step, P);
  } else if (T.kind == WB_STEP_READ) {
    end.w = wb_step_read(S, T.step, P);
  } else if (T.kind == WB_STEP_CALL) {
    if (T.step != WB_NONE && T.resume == 0u) {
      wb_stage_operands(S, T.step);
    }
  }
  return end;
}

// The step is over: the next one, or the end of the program. False if the lane does not go on.
static inline bool wb_next_step(WbSeat S, constant WbParams &P) {
  uint number = wb_get(S.lane, WB_LANE_STEP) + 1u;
  wb_put(S.lane, WB_LANE_STEP, number);
  if (number > P.steps) {
    wb_end_instance(S, WB_END_RETURNED);
  }
  return number <= P.steps;
}

// A step trapped: it ends the instance unless the step says to go on.
static inline bool wb_trapped_step(WbSeat S, WbTurn T, constant WbParams &P) {
  if (T.step != WB_NONE && (S.program[T.step + WB_STEP_FLAGS] & WB_STEP_GO_ON) != 0u) {
    wb_note_trap(S, T.step);
    return wb_next_step(S, P);
  }
  wb_end_instance(S, WB_END_TRAPPED);
  return false;
}

// The call was left before a memory.grow beyond the reserve. Fuel is not looked at: where there is
// more memory nobody looks at it there.
static inline void wb_wait_for_memory(WbSeat S) {
  wb_put(S.lane, WB_LANE_RESUME, 1u);
  S.record[WB_RECORD_WANTED_PAGES] = wb_get(S.lane, WB_LANE_WANTED_PAGES);
  S.record[WB_RECORD_SEAT] = WB_SEAT_NEEDS_MEMORY;
}

// What follows from how the turn ended; false if the lane does not go on. A call that left for want
// of fuel did so at a safepoint where fuel is compared with the instance's limit.
static inline bool wb_after_turn(WbSeat S, WbTurn T, uint w, ulong used, constant WbParams &P) {
  bool goes_on = false;
  wb_put(S.lane, WB_LANE_RESUME, 0u);
  if (w == WB_RETURNED) {
    if (T.kind == WB_STEP_CALL && T.step != WB_NONE) {
      wb_copy_results(S, T.step);
    }
    goes_on = wb_next_step(S, P);
  } else if (w == WB_TRAPPED) {
    goes_on = wb_trapped_step(S, T, P);
  } else if (w == WB_NEEDS_STACK) {
    S.record[WB_RECORD_SEAT] = WB_SEAT_NEEDS_STACK;
  } else if (T.kind != WB_STEP_CALL) {
    wb_end_instance(S, WB_END_OUTPUT_LIMIT);
  } else if (wb_get(S.lane, WB_LANE_WANTED_PAGES) != 0u) {
    wb_wait_for_memory(S);
  } else if (used > wb_max_fuel(P)) {
    wb_end_instance(S, WB_END_OUT_OF_FUEL);
  } else {
    wb_put(S.lane, WB_LANE_RESUME, 1u);
    goes_on = true;
  }
  return goes_on;
}

static inline void wb_report(WbSeat S) {
  S.record[WB_RECORD_FUEL_LO] = wb_get(S.lane, WB_LANE_FUEL_LO);
  S.record[WB_RECORD_FUEL_HI] = wb_get(S.lane, WB_LANE_FUEL_HI);
  S.record[WB_RECORD_PAGES] = wb_get(S.lane, WB_LANE_PAGES);
  S.record[WB_RECORD_OUT_BYTES] = wb_get(S.lane, WB_LANE_OUT_BYTES);
  S.record[WB_RECORD_STEP] = wb_get(S.lane, WB_LANE_STEP);
}

// The seat as the launch finds it, started if it is new; true if the lane is to run. One that waited
// for memory and is to go on finds that it has it.
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

// The seat that a lane has as the launch begins, or WB_NONE. Where seats are queued that is the one
// whose instance was left in it, if the host has not given it to somebody else: then another lane
// may write that record by now, but for its turn.
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
  for (uint i = 0u; i < WB_SEATS_TRIED && !found; i += 1u) {
    seat = metal::atomic_fetch_add_explicit(&control[WB_CONTROL_NEXT], 1u,
                                            metal::memory_order_relaxed);
    found = seat >= P.seats ||
            records[(ulong)seat * (ulong)P.record_words + WB_RECORD_QUEUED] == 1u;
  }
  return found ? seat : WB_NONE;
}

// Instances of a length end within a turn or two of one another. Who wants another seat waits for
// those of its group that are about as far as the first one that ended, unless too many are
// elsewhere: then all begin together, and stay together. Two quanta at most, since those go on; with
// instances shorter than that it is not worth it.
static inline bool wb_waits_for_group(wb_lane L, bool running, bool wants, uint quantum) {
  uint fuel = wb_get(L, WB_LANE_FUEL_LO);  // modulo 2^32: an estimate
  uint first = metal::simd_min(wants ? fuel : 0xffffffffu);
  bool soon = running && fuel - (first - quantum) <= 2u * quantum;
  uint ending = metal::simd_sum(soon ? 1u : 0u);
  uint elsewhere = metal::simd_sum(running && !soon ? 1u : 0u);
  return first >= 2u * quantum && ending != 0u && elsewhere <= WB_GROUP_LANES / 4u;
}

// A lane whose instance does not run on in this launch gives its seat back, so that it may take
// another one, unless the instance waits for memory: then the lane is idle and keeps the seat. True:
// it has none.
static inline bool wb_let_go(WbSeat S, device atomic_uint *control) {
  bool waits = wb_get(S.lane, WB_LANE_WANTED_PAGES) != 0u;
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

// The lanes of a group stay together: every one of them goes round the loop until the last has
// ended, they meet at its foot, wb_call stands in one place, and nothing returns from inside.
kernel void wb_main(device uint *state [[buffer(0)]], device uint *records [[buffer(1)]],
                    const device uint *program [[buffer(2)]],
                    const device uint *columns [[buffer(3)]],
                    const device uint *blob [[buffer(4)]], const device uint *image [[buffer(5)]],
                    device atomic_uint *control [[buffer(6)]], constant WbParams &P [[buffer(7)]],
                    uint gid [[thread_position_in_grid]]) {
  bool here = gid < P.lanes;
  WbSeat S;
  S.lane = wb_lane_at(state, here ? gid : 0u, wb_join(P.lane_words_lo, P.lane_words_hi));
  S.seats = P.seats != 0u ? P.seats : P.lanes;
  S.program = program;
  S.columns = columns;
  S.blob = blob;
  if (here && P.lanes_are_new != 0u) {
    wb_put(S.lane, WB_LANE_CLEAN_PAGES, 0u);  // whatever stood there before: nothing is known
  }
  uint held = here ? wb_held_seat(S.lane, records, gid, P) : WB_NONE;
  S = wb_at_seat(S, records, held < S.seats ? held : 0u, P);
  bool running = held < S.seats && wb_enter(S, image, P);
  bool takes = here && gid < P.takers;
  bool wants = takes && held >= S.seats;
  ulong slice_left = wb_join(P.slice_lo, P.slice_hi) + (ulong)gid * (ulong)P.slice_step;
  bool apart = false;
  metal::simdgroup_barrier(metal::mem_flags::mem_none);
  while (metal::simd_any(running || wants)) {
    bool waits = false;
    if (P.seats != 0u && metal::simd_any(wants)) {
      waits = wb_waits_for_group(S.lane, running, wants, P.quantum);
    }
    if (wants && !waits) {
      uint seat = wb_take_seat(records, control, P);
      if (seat < P.seats) {
        S = wb_at_seat(S, records, seat, P);
        running = wb_enter(S, image, P);
        wb_put(S.lane, WB_LANE_SEAT, running ? seat + 1u : 0u);
        wb_put(S.lane, WB_LANE_TURN, S.record[WB_RECORD_TURN]);
        S.record[WB_RECORD_LANE] = running ? gid + 1u : 0u;
      } else if (seat != WB_NONE) {
        metal::atomic_fetch_add_explicit(&control[WB_CONTROL_IDLE], 1u,
                                         metal::memory_order_relaxed);
      }
      wants = !running && (seat < P.seats || seat == WB_NONE);
    }
    WbTurn T = wb_next_turn(S, running, image[5] - 1u, slice_left, P);
    // By turns, so that nobody waits for a queue of short ones to end.
    apart = P.seats != 0u && !apart && metal::simd_any(T.kind == WB_STEP_CALL && T.resume == 0u) &&
            metal::simd_any(T.resume != 0u);
    bool acts = running && !(apart && T.resume != 0u);
    if (apart) {
      T = wb_first_stretch(T);
    }
    WbEnd end = wb_before_call(S, T, P);
    WbEnd called = wb_call(S.lane, T.kind == WB_STEP_CALL, T.function,
                           wb_low_fuel(T.grant, P.quantum), T.grant, T.resume);
    if (T.kind == WB_STEP_CALL) {
      end = called;
    }
    if (acts) {
      ulong spent = (ulong)(T.grant - end.fuel);
      wb_put64(S.lane, WB_LANE_FUEL_LO, T.used + spent);
      slice_left = spent < slice_left ? slice_left - spent : 0ul;
      running = wb_after_turn(S, T, end.w, T.used + spent, P);
      wb_report(S);
      if (P.seats != 0u && !running) {
        wants = wb_let_go(S, control) && takes;
      }
    }
    if (slice_left == 0ul || wb_is_over(control, P)) {
      running = false;
      wants = false;
    }
    metal::simdgroup_barrier(metal::mem_flags::mem_none);
  }
}
