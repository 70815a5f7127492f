#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 37u;
constant uint WB_GLOBALS_SIZE = 0u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1, uint l2);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t3 = 0u;
  do {
    fuel = fuel - 13u;
    uint t8 = (wb_i32_lt_s(l0, l1) != 0u ? l1 : l0);
    t3 = (wb_i32_gt_s(t8, l2) != 0u ? l2 : t8);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint l1 = 0u;
  uint t2 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 2u) { fuel = fuel + 17u; r = 0u; }
    while (true) {
      fuel = fuel - 17u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      uint t7 = (l0 < 5u ? 1u : 2u);
      l0 = (l0 + 1u);
      l1 = (t7 + l1);
      if (l0 < 9u) { continue; }
      break;
    }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t2 = l1;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
    }
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      WbR_i R = wf_0(L, fuel, wb_get(L, 34u), wb_get(L, 35u), wb_get(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 1u: {
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004au), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 8u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
