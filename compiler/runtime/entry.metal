// ---- entry: the one kernel. A thread is a lane; a lane runs its instance step by step, in quanta
// of fuel, until it ends or its slice is spent. Before it stands
//   static WbEnd wb_call(wb_lane L, bool active, uint function, uint low, uint fuel, uint resume);
// which takes arguments from and leaves results in the words from WB_LANE_STAGE on; a lane that is
// not active only keeps its group company.

// The lanes of a group stay together: every one of them goes round the loop until the last has
// ended, they meet at its foot, wb_call stands in one place, and nothing returns from inside.
kernel void wb_main(device uint *state [[buffer(0)]], device uint *records [[buffer(1)]],
                    const device uint *program [[buffer(2)]],
                    const device uint *columns [[buffer(3)]],
                    const device uint *blob [[buffer(4)]], const device uint *image [[buffer(5)]],
                    device atomic_uint *control [[buffer(6)]], constant WbParams &P [[buffer(7)]],
                    const device uint *kept [[buffer(8)]], uint gid [[thread_position_in_grid]]) {
  // A text for other windows has no business in these lanes.
  uint form = P.window_from != 0u ? 2u : (P.window_bytes != 0u ? 1u : 0u);
  bool here = gid < P.lanes && WB_WINDOWED >= form;
  WbSeat S;
  S.lane = wb_lane_at(state, here ? gid : 0u, wb_join(P.lane_words_lo, P.lane_words_hi));
  S.seats = P.seats != 0u ? P.seats : P.lanes;
  S.program = program;
  S.columns = columns;
  S.blob = blob;
  S.kept = kept;
  if (here && P.lanes_are_new != 0u) {
    wb_put(S.lane, WB_LANE_CLEAN_PAGES, 0u);  // whatever stood there before: nothing is known
  }
  uint held = here ? wb_held_seat(S.lane, records, gid, P) : WB_NONE;
  S = wb_at_seat(S, records, held < S.seats ? held : 0u, P);
  bool running = held < S.seats && wb_enter(S, image, P);
  wb_join_group(S.lane, running, state, gid, P);
  bool takes = here && gid < P.takers;
  bool wants = takes && held >= S.seats;
  ulong slice = wb_join(P.slice_lo, P.slice_hi) + (ulong)gid * (ulong)P.slice_step;
  ulong slice_left = slice;
  ulong stepped = 0ul;  // sum over turns of the most that a lane of the group spent
  bool apart = false;
  bool meets = false;  // it waits for its group
  metal::simdgroup_barrier(metal::mem_flags::mem_none);
  #pragma unroll 1
  while (metal::simd_any(running || wants)) {
    bool waits = false;
    if (P.seats != 0u && P.group_wait != 0u && metal::simd_any(wants)) {
      waits =
          wb_waits_for_group(S.lane, running, wants, P.quantum, P.group_wait * P.quantum);
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
    WbTurn T = wb_next_turn(S, running && !meets, image[WB_IMAGE_START] - 1u, slice_left, P);
    // By turns, so that no lane waits until a queue of short instances has ended.
    apart = P.seats != 0u && !apart && metal::simd_any(T.kind == WB_STEP_CALL && T.resume == 0u) &&
            metal::simd_any(T.resume != 0u);
    bool acts = running && !meets && !(apart && T.resume != 0u);
    if (apart) {
      T = wb_first_stretch(T);
    }
    WbEnd end = wb_before_call(S, T, P);
    bool calls = T.kind == WB_STEP_CALL && end.w == WB_RETURNED;
    WbEnd called =
        wb_call(S.lane, calls, T.function, wb_low_fuel(T.grant, P.quantum), T.grant, T.resume);
    if (calls) {
      end = called;
    }
    uint counted = 0u;
    if (acts) {
      if (WB_PRIMITIVES != 0u) {
        end = wb_answer(S, end, T.used + (ulong)(T.grant - end.fuel), P);
      }
      ulong spent = (ulong)(T.grant - end.fuel);
      wb_put64(S.lane, WB_LANE_FUEL_LO, T.used + spent);
      counted = (uint)(spent < slice_left ? spent : slice_left);
      slice_left -= (ulong)counted;
      running = wb_after_turn(S, T, end.w, T.used + spent, P);
      wb_report(S);
      if (P.seats != 0u && !running) {
        wants = wb_let_go(S, control) && takes;
      }
    }
    if (WB_LOCKSTEP != 0u && WB_COUNTS_LANE_FUEL != 0u) {
      stepped += (ulong)~metal::simd_min(~counted);
    }
    if (slice_left == 0ul || wb_is_over(control, P)) {
      running = false;
      wants = false;
    }
    if (WB_COLLECTIVES != 0u && WB_LOCKSTEP != 0u) {
      meets = wb_meet(S, state, records, gid, here, P);
      running = metal::simd_any(running && !meets) && running;  // else nobody would come
    }
    metal::simdgroup_barrier(metal::mem_flags::mem_none);
  }
  wb_leave_group(state, gid, P);
  if (WB_LOCKSTEP != 0u && WB_COUNTS_LANE_FUEL != 0u) {
    wb_count_lane_fuel(control, gid, slice - slice_left, stepped);
  }
}
