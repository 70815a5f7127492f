// ---- the outer loop: runs the innermost root until the call of a step is over or fuel is spent.
// The module's text before it defines
//   static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume);
// which enters (with arguments from the stage) or resumes the root with its frame at `f`, and leaves
// results in the stage. It also defines WB_RECURSIVE, which is 0 where only the functions of steps
// are ever roots.

// What follows from how a root ended: the next one to run, or none. A fresh root asks for fuel at
// its entry and every other was called before it is resumed, so rounds are paid for.
struct WbRound {
  WbRoot root;
  WbEnd end;
  uint resume;
  bool goes_on;
};

static inline WbRound wb_next_round(wb_lane L, WbRound N, uint frames) {
  N.goes_on = false;
  if (WB_RECURSIVE != 0u && N.end.w == WB_RETURNED && N.root.base != 0u) {
    N.root = wb_link(L, frames + N.root.base);
    N.resume = 1u;
    N.goes_on = true;
  } else if (WB_RECURSIVE != 0u && N.end.w == WB_WAITING) {
    wb_put_link(L, N.root);
    N.root = wb_root(L);
    N.resume = 0u;
    N.goes_on = wb_get(L, WB_LANE_ROOT_FRESH) != 0u;
    N.end.w = WB_LEFT;
  } else if (WB_RECURSIVE != 0u && N.end.w == WB_TAIL_CALLS) {
    N.root.function = wb_get(L, WB_LANE_ROOT_FUNCTION);
    N.resume = 0u;
    N.goes_on = true;
  } else if (N.end.w == WB_LEFT) {
    wb_put_root(L, N.root, 0u);
  }
  return N;
}

// All lanes of a group come here together, `active` or not, and meet once per round. `low`: with less
// fuel a lane has its group leave where it meets (wb_group_is_low).
static inline WbEnd wb_call(wb_lane L, bool active, uint function, uint low, uint fuel,
                            uint resume) {
  uint frames = wb_get(L, WB_LANE_FRAMES_AT);
  WbRound N;
  N.root.function = function;
  N.root.base = 0u;
  N.root.room = wb_get(L, WB_LANE_CAPACITY_STACK);
  if (resume != 0u) {
    N.root = wb_root(L);
  }
  N.end.w = WB_RETURNED;
  N.end.fuel = fuel;
  N.resume = resume;
  N.goes_on = active;
  wb_take_hot_bytes(L, active);
  #pragma unroll 1
  while (metal::simd_any(N.goes_on)) {
    if (N.goes_on) {
      N.end = wb_run(L, N.root, frames + N.root.base, low, N.end.fuel, N.resume);
      N = wb_next_round(L, N, frames);
    }
    metal::simdgroup_barrier(metal::mem_flags::mem_none);
  }
  wb_give_hot_bytes(L, active);
  return N.end;
}
