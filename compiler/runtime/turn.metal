// ---- turn: what a lane does between two meetings of its group: one step, or a quantum of fuel of a
// step's call.

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

// A turn of only those lanes that are at the beginning of a call, up to its first safepoint; the
// other lanes of the group wait. Compilers make separate code for that way into a function. A group
// in which some lanes begin and some resume would run its loops twice until the quantum is over
// (seen on an H200: half the speed).
static inline WbTurn wb_first_stretch(WbTurn T) {
  T.kind = T.resume != 0u ? 0u : T.kind;
  T.grant = T.grant == 0xffffffffu ? T.grant : 0u;
  return T;
}

// Fuel that a lane keeps for the way to where its group meets: a quarter of a quantum. None where
// something other than the quantum ends its turn, above all an instance's limit: the lane leaves
// where that limit says, and would make its group leave again and again on the way there.
static inline uint wb_low_fuel(uint grant, uint quantum) {
  return grant == quantum ? quantum >> 2u : 0u;
}

// What a turn does besides the call itself: a whole step of another kind, or a call's arguments. A
// call is not made if one of its arguments trapped, nor if it was left for a write that waits: that
// is answered first.
static inline WbEnd wb_before_call(WbSeat S, WbTurn T, constant WbParams &P) {
  WbEnd end;
  end.w = WB_RETURNED;
  end.fuel = T.grant;
  if (T.kind == WB_STEP_WRITE) {
    end.w = wb_step_write(S, T.step, P);
  } else if (T.kind == WB_STEP_READ) {
    end.w = wb_step_read(S, T.step, P);
  } else if (T.kind == WB_STEP_STORE) {
    end.w = wb_step_store(S, T.step, P);
  } else if (T.kind == WB_STEP_CALL) {
    if (T.step != WB_NONE && T.resume == 0u) {
      end.w = wb_stage_operands(S, T.step);
    } else if (T.resume != 0u && wb_get(S.lane, WB_LANE_REQUEST) != 0u) {
      end.w = WB_LEFT;
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
  if (wb_has_missed(S)) {
    return false;
  }
  if (T.step != WB_NONE && (S.program[T.step + WB_STEP_FLAGS] & WB_STEP_GO_ON) != 0u) {
    wb_note_trap(S, T.step);
    return wb_next_step(S, P);
  }
  wb_end_instance(S, WB_END_TRAPPED);
  return false;
}

// The call was left before a memory.grow beyond the reserve. Fuel is not compared here, since it is
// not compared at that row where there is enough memory.
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
  } else if (w == WB_EXITED) {
    wb_end_instance(S, WB_END_EXITED);
  } else if (w == WB_OUTPUT_FULL) {
    wb_end_instance(S, WB_END_OUTPUT_LIMIT);
  } else if (w == WB_OUTPUT_WAITS) {
    wb_put(S.lane, WB_LANE_RESUME, T.kind == WB_STEP_CALL ? 1u : 0u);
    S.record[WB_RECORD_OUT_WAITS] = 1u;
  } else if (w == WB_MEETS) {
    wb_put(S.lane, WB_LANE_RESUME, 1u);
    goes_on = WB_LOCKSTEP != 0u;  // elsewhere whoever runs the lanes has them meet
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
