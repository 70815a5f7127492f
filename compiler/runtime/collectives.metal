// ---- collectives: what the instances of a group of 32 compute together (compiler/abi/gpu_std.def,
// compiler/docs/collectives.md). A lane that comes to one leaves as for any request. It waits until
// all instances of its group that have not ended are at a collective. Lane i of a group has the
// instance i of 32 that follow one another, and seat i of theirs. The stage holds the collective's
// code, its arguments, and at WB_COLLECT_ANSWER the answer, which no other lane reads.

// The lanes that a meeting is about.
struct WbGroup {
  device uint *state;
  device uint *records;
  uint first;  // of them
  uint lanes;  // of the dispatch
  uint record_words;
  ulong lane_words;
};

static inline WbGroup wb_group_of(device uint *state, device uint *records, uint gid,
                                  constant WbParams &P) {
  WbGroup G;
  G.state = state;
  G.records = records;
  G.first = gid / WB_GROUP_LANES * WB_GROUP_LANES;
  G.lanes = P.lanes;
  G.record_words = P.record_words;
  G.lane_words = wb_join(P.lane_words_lo, P.lane_words_hi);
  return G;
}

static inline wb_lane wb_group_lane(WbGroup G, uint i) {
  return wb_lane_at(G.state, G.first + i, G.lane_words);
}

static inline uint wb_group_seat(WbGroup G, uint i) {
  uint seat = G.first + i;
  return seat < G.lanes ? G.records[(ulong)seat * (ulong)G.record_words + WB_RECORD_SEAT]
                        : WB_SEAT_EMPTY;
}

// Its instance waits at a collective.
static inline bool wb_takes_part(WbGroup G, uint i) {
  return wb_group_seat(G, i) == WB_SEAT_RUNNING && wb_meets(wb_group_lane(G, i));
}

// WB_MEETING_* of the group as it is.
static inline uint wb_meeting(WbGroup G) {
  uint meeting = WB_MEETING_NONE;
  uint code = WB_NONE;
  bool away = false;
  #pragma unroll 1
  for (uint i = 0u; i < WB_GROUP_LANES; i += 1u) {
    uint seat = wb_group_seat(G, i);
    if (wb_takes_part(G, i)) {
      uint its = wb_get(wb_group_lane(G, i), WB_LANE_STAGE);
      bool other = code != WB_NONE && its != code;
      meeting = other || meeting == WB_MEETING_MIXED ? WB_MEETING_MIXED : WB_MEETING_READY;
      code = its;
    } else if (seat != WB_SEAT_EMPTY && seat != WB_SEAT_DONE) {
      away = true;
    }
  }
  return away ? WB_MEETING_NONE : meeting;
}

// What lane `i` gives (wb_given).
static inline ulong wb_collect_given(WbGroup G, uint i, uint code) {
  wb_lane L = wb_group_lane(G, i);
  ulong value = (ulong)wb_get(L, WB_LANE_STAGE + WB_COLLECT_ARGUMENTS);
  if (wb_collects_64(code)) {
    value = wb_get64(L, WB_LANE_STAGE + WB_COLLECT_ARGUMENTS);
  }
  return wb_given(code, i, value);
}

// The lane whose value a shuffle of lane `i` answers with.
static inline uint wb_shuffled_from(WbGroup G, uint i, uint code) {
  uint words = wb_collects_64(code) ? 2u : 1u;
  return wb_shuffles_from(
      code, i, wb_get(wb_group_lane(G, i), WB_LANE_STAGE + WB_COLLECT_ARGUMENTS + words));
}

// The lanes whose values go into the answer of lane `i`: `first` to `end` - 1.
struct WbFolded {
  uint first;
  uint end;
};

static inline WbFolded wb_folded_lanes(uint code, uint i) {
  uint scope = wb_collect_scope(code);
  WbFolded lanes;
  lanes.first = scope == WB_COLLECT_QUAD ? i & ~3u : 0u;
  lanes.end = WB_GROUP_LANES;
  if (scope == WB_COLLECT_QUAD) {
    lanes.end = lanes.first + 4u;
  } else if (scope == WB_COLLECT_INCLUSIVE) {
    lanes.end = i + 1u;
  } else if (scope == WB_COLLECT_EXCLUSIVE) {
    lanes.end = i;
  }
  return lanes;
}

// The answer of lane `i`, which takes part in a meeting that is READY, in its stage.
static inline void wb_collect(WbGroup G, uint i) {
  wb_lane L = wb_group_lane(G, i);
  uint code = wb_get(L, WB_LANE_STAGE);
  uint operation = wb_collect_operation(code);
  ulong answer = 0ul;
  if (operation == WB_COLLECT_SHUFFLE || operation == WB_COLLECT_SHUFFLE_XOR) {
    uint from = wb_shuffled_from(G, i, code);
    answer = wb_takes_part(G, from) ? wb_collect_given(G, from, code) : 0ul;
  } else if (operation != WB_COLLECT_MEET) {
    WbFolded lanes = wb_folded_lanes(code, i);
    bool first = true;
    #pragma unroll 1
    for (uint j = lanes.first; j < lanes.end; j += 1u) {
      if (wb_takes_part(G, j)) {
        ulong given = wb_collect_given(G, j, code);
        answer = first ? given : wb_fold(code, answer, given);
        first = false;
      }
    }
  }
  wb_put64(L, WB_LANE_STAGE + WB_COLLECT_ANSWER, answer);
}

// All lanes of the group have the same answer.
static inline bool wb_answers_alike(uint code) {
  uint operation = wb_collect_operation(code);
  return wb_collect_scope(code) == WB_COLLECT_GROUP && operation != WB_COLLECT_SHUFFLE &&
         operation != WB_COLLECT_SHUFFLE_XOR;
}

// The lane goes on: with its answer, or, where its group is MIXED, into a trap.
static inline void wb_part(wb_lane L, uint meeting) {
  wb_put(L, WB_LANE_REQUEST,
         meeting == WB_MEETING_READY ? 0u : 1u + WB_PRIMITIVE_MIXED_GROUP);
}

static inline wb_lane wb_first_lane(device uint *state, uint gid, constant WbParams &P) {
  return wb_lane_at(state, gid - gid % WB_GROUP_LANES, wb_join(P.lane_words_lo, P.lane_words_hi));
}

// An instance that begins finds its number in its group, and the group's memory. The first lane begins no later than the
// others, and clears it. All lanes of a group that run in step come here.
static inline void wb_join_group(wb_lane L, bool running, device uint *state, uint gid,
                                 constant WbParams &P) {
  if (WB_GROUP_AT != 0u) {  // 0: a processor's kernel, whose module has no groups
    if (running && wb_get(L, WB_GROUP_AT + WB_GROUP_LANE) == 0u) {
      uint lane = gid % WB_GROUP_LANES;
      wb_lane first = wb_first_lane(state, gid, P);
      ulong back = (ulong)(L - first);
      bool clears = lane == 0u && WB_GROUP_MEMORY_AT != 0u;
      wb_put(L, WB_GROUP_AT + WB_GROUP_LANE, lane + 1u);
      wb_put64(L, WB_GROUP_AT + WB_GROUP_BACK_LO, back);
      #pragma unroll 1
      for (uint w = 0u; clears && w < WB_GROUP_MEMORY_WORDS; w += 1u) {
        wb_group_word(L, back, WB_GROUP_MEMORY_AT, w)[0] = 0u;
      }
    }
    metal::simdgroup_barrier(metal::mem_flags::mem_device);
  }
  if (WB_LOCKSTEP != 0u && WB_GROUP_MEMORY_AT != 0u) {
    wb_take_group_memory(wb_first_lane(state, gid, P), gid % WB_GROUP_LANES,
                         metal::simd_any(gid < P.lanes));
  }
}

// All lanes of a group come here where a launch ends.
static inline void wb_leave_group(device uint *state, uint gid, constant WbParams &P) {
  if (WB_LOCKSTEP != 0u && WB_GROUP_MEMORY_AT != 0u) {
    wb_give_group_memory(wb_first_lane(state, gid, P), gid % WB_GROUP_LANES,
                         metal::simd_any(gid < P.lanes));
  }
}

// ---- where the lanes of a group run in step. Each knows of itself; they vote and exchange values.

// WB_MEETING_* of the group. `code`: of the lane's collective where it `waits`; `away`: its instance
// is not at a collective and has not ended.
static inline uint wb_voted_meeting(bool waits, uint code, bool away) {
  uint least = metal::simd_min(waits ? code : WB_NONE);
  uint most = ~metal::simd_min(waits ? ~code : WB_NONE);
  bool nobody = metal::simd_any(away) || !metal::simd_any(waits);
  uint meeting = least == most ? WB_MEETING_READY : WB_MEETING_MIXED;
  return nobody ? WB_MEETING_NONE : meeting;
}

// The answer of lane `i` at a meeting that is READY. All lanes of the group come here with the same
// code; bit j of `present`: lane j takes part. Of the others nothing counts.
static inline ulong wb_voted_answer(wb_lane L, uint i, uint code, uint present) {
  uint operation = wb_collect_operation(code);
  uint words = wb_collects_64(code) ? 2u : 1u;
  ulong value = wb_get64(L, WB_LANE_STAGE + WB_COLLECT_ARGUMENTS);
  ulong answer = 0ul;
  if (operation == WB_COLLECT_SHUFFLE || operation == WB_COLLECT_SHUFFLE_XOR) {
    uint named = wb_get(L, WB_LANE_STAGE + WB_COLLECT_ARGUMENTS + words);
    uint from = wb_shuffles_from(code, i, named);
    answer = wb_from_lane(code, value, from);
    answer = ((present >> from) & 1u) != 0u ? answer : 0ul;
  } else if (operation != WB_COLLECT_MEET) {
    ulong given = wb_given(code, i, words == 2u ? value : (ulong)(uint)value);
    WbFolded lanes = wb_folded_lanes(code, i);
    bool first = true;
    #pragma unroll 1
    for (uint j = 0u; j < WB_GROUP_LANES; j += 1u) {
      ulong its = wb_from_lane(code, given, j);
      bool counts = ((present >> j) & 1u) != 0u && j >= lanes.first && j < lanes.end;
      if (counts) {
        answer = first ? its : wb_fold(code, answer, its);
        first = false;
      }
    }
  }
  return answer;
}

// All lanes of a group come here; those that wait for it go on where all are there. True: the lane
// `gid` still waits.
static inline bool wb_meet(WbSeat S, device uint *state, device uint *records, uint gid, bool here,
                           constant WbParams &P) {
  metal::simdgroup_barrier(metal::mem_flags::mem_device);
  WbGroup G = wb_group_of(state, records, gid, P);
  uint lane = gid - G.first;
  uint seat = wb_group_seat(G, lane);
  bool waits = here && seat == WB_SEAT_RUNNING && wb_meets(S.lane);
  uint code = waits ? wb_get(S.lane, WB_LANE_STAGE) : WB_NONE;
  bool away = !waits && seat != WB_SEAT_EMPTY && seat != WB_SEAT_DONE;
  uint meeting = wb_voted_meeting(waits, code, away);
  if (meeting == WB_MEETING_READY) {
    code = metal::simd_min(code);
    uint present = metal::simd_or(waits ? 1u << lane : 0u);
    ulong answer = wb_voted_answer(S.lane, lane, code, present);
    if (waits) {
      wb_put64(S.lane, WB_LANE_STAGE + WB_COLLECT_ANSWER, answer);
    }
  }
  if (waits && meeting != WB_MEETING_NONE) {
    wb_part(S.lane, meeting);
  }
  metal::simdgroup_barrier(metal::mem_flags::mem_device);
  return waits && meeting == WB_MEETING_NONE;
}
