// ---- calls: how an emitted function ends, and how its end reaches its caller.
// `why` is the variable w of an emitted function: WB_WHY_TRAP and the rest (compiler/abi/lane.def).

static inline uint wb_end(wb_lane L, uint why, uint function) {
  uint result = why == WB_WHY_TAIL_CALLS ? WB_TAIL_CALLS : WB_NEEDS_STACK;
  if ((why & WB_WHY_TRAP) != 0u) {
    result = WB_TRAPPED;
    if (why != WB_WHY_TRAP) {
      wb_trap(L, why, function);
    }
  } else if ((why & WB_WHY_LEFT) != 0u) {
    result = (why & WB_WHY_ENDS) != 0u ? WB_WAITING : WB_LEFT;
  }
  return result;
}

// The frame is to be saved: the function will be resumed.
static inline bool wb_keeps_frame(uint result) {
  return result == WB_LEFT || result == WB_WAITING;
}

// What the caller's w becomes when a callee ended with `result`; `safepoint` is the call's number.
static inline uint wb_unwind(uint result, uint safepoint) {
  uint why = WB_WHY_NEEDS_STACK;
  if (result == WB_LEFT) {
    why = WB_WHY_LEFT | safepoint;
  } else if (result == WB_WAITING) {
    why = WB_WHY_WAITING | safepoint;
  } else if (result == WB_TRAPPED) {
    why = WB_WHY_TRAP;
  }
  return why;
}

// A call for which too few slots are left: w is the trap, unless the budget goes beyond what this
// engine has reserved. The instance then starts again with more.
static inline uint wb_exhausted(wb_lane L, uint trap) {
  bool reserve_ends = wb_get(L, WB_LANE_CAPACITY_STACK) < wb_get(L, WB_LANE_MAX_STACK);
  return reserve_ends ? WB_WHY_NEEDS_STACK : trap;
}

// A function asks for a primitive: it leaves, with its arguments in the stage (primitives.metal).
static inline bool wb_asks(wb_lane L, uint request) {
  wb_put(L, WB_LANE_REQUEST, request);
  return true;
}

// ---- roots. A lane's stack is a chain of roots, each followed by the frames of the functions that
// it resumes natively. A step's function is a root, and so is whatever is called and lies on a cycle
// of the call graph. The header names the innermost; before every other one's frame lies the link to
// its caller's root. `base` counts from the frames' start, so that frames can move.
struct WbRoot {
  uint function;
  uint base;
  uint room;
};

static inline WbRoot wb_root(wb_lane L) {
  WbRoot A;
  A.function = wb_get(L, WB_LANE_ROOT_FUNCTION);
  A.base = wb_get(L, WB_LANE_ROOT_BASE);
  A.room = wb_get(L, WB_LANE_ROOT_ROOM);
  return A;
}
static inline void wb_put_root(wb_lane L, WbRoot A, uint fresh) {
  wb_put(L, WB_LANE_ROOT_FUNCTION, A.function);
  wb_put(L, WB_LANE_ROOT_BASE, A.base);
  wb_put(L, WB_LANE_ROOT_ROOM, A.room);
  wb_put(L, WB_LANE_ROOT_FRESH, fresh);
}

// The link of the calling root: written where the call site said; read for the root with its frame
// at `f`.
static inline void wb_put_link(wb_lane L, WbRoot A) {
  uint at = wb_get(L, WB_LANE_LINK_AT);
  wb_put(L, at + WB_LINK_FUNCTION, A.function);
  wb_put(L, at + WB_LINK_BASE, A.base);
  wb_put(L, at + WB_LINK_ROOM, A.room);
}
static inline WbRoot wb_link(wb_lane L, uint f) {
  uint at = f - WB_LINK_WORDS;
  WbRoot A;
  A.function = wb_get(L, at + WB_LINK_FUNCTION);
  A.base = wb_get(L, at + WB_LINK_BASE);
  A.room = wb_get(L, at + WB_LINK_ROOM);
  return A;
}

// The root that a call site calls. The frame of the call site ends at `at`, where the link lies.
static inline WbRoot wb_root_at(wb_lane L, uint at, uint function, uint room) {
  WbRoot A;
  A.function = function;
  A.base = at + WB_LINK_WORDS - wb_get(L, WB_LANE_FRAMES_AT);
  A.room = room;
  return A;
}

// The outer loop is to make this call; its arguments are in the stage. The result is w.
static inline uint wb_wait(wb_lane L, uint at, uint function, uint room, uint safepoint) {
  wb_put_root(L, wb_root_at(L, at, function, room), 1u);
  wb_put(L, WB_LANE_LINK_AT, at);
  return WB_WHY_WAITING | safepoint;
}

// This function takes the place of the one that makes a tail call; its arguments are in the stage. The
// result is w.
static inline uint wb_tail(wb_lane L, uint function) {
  wb_put(L, WB_LANE_ROOT_FUNCTION, function);
  return WB_WHY_TAIL_CALLS;
}

// A root that was called natively ended with `result`, as wb_unwind; from here on the outer loop
// resumes it.
static inline uint wb_unwind_root(wb_lane L, uint result, uint at, uint function, uint room,
                                  uint safepoint) {
  if (result == WB_TAIL_CALLS) {
    uint next = wb_get(L, WB_LANE_ROOT_FUNCTION);
    wb_put_root(L, wb_root_at(L, at, next, room), 1u);
    wb_put(L, WB_LANE_LINK_AT, at);
    result = WB_WAITING;
  } else if (wb_keeps_frame(result)) {
    WbRoot A = wb_root_at(L, at, function, room);
    if (result == WB_LEFT) {
      wb_put_root(L, A, 0u);
    } else {
      wb_put_link(L, A);
    }
    wb_put(L, WB_LANE_LINK_AT, at);
    result = WB_WAITING;
  }
  return wb_unwind(result, safepoint);
}

// Activations of one function that called itself lie one behind the other from the frame at `first`
// on. The last, at `f` with so much room, ended with `result`: what follows for the others, the
// innermost first, as if all had been called natively. Frames are so many `words` apart, and each
// takes so many `slots`. `safepoint`: of the call, where their frames do not say it yet, else 0.
// Returns how the first ended.
static inline uint wb_unwind_self(wb_lane L, uint result, uint first, uint f, uint room,
                                  uint function, uint words, uint slots, uint safepoint) {
  #pragma unroll 1
  while (f != first) {
    uint at = f - WB_LINK_WORDS;
    f = f - words;
    room = room + slots;
    if (safepoint != 0u) {
      wb_put(L, f, safepoint);
    }
    uint call = safepoint != 0u ? safepoint : wb_get(L, f);
    result = wb_end(L, wb_unwind_root(L, result, at, function, room, call), function);
  }
  return result;
}
