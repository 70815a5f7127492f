#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 35u;
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
static WbR_i wf_0(wb_lane L, uint fuel, uint l0);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 3u;
    t1 = (l0 * l0);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
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
    if (r == 2u) { fuel = fuel + 7u; r = 0u; }
    while (true) {
      fuel = fuel - 7u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      l1 = (l1 + 1u);
      if (l1 < l0) { continue; }
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
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  uint t6 = 0u;
  uint t7 = 0u;
  uint t8 = 0u;
  uint t11 = 0u;
  uint t12 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t6 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 4u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t3 = (uint)(l0 > 5u);
    }
    if (r == 0u ? t3 != 0u : r <= 2u) {
      if (r == 0u) {
        fuel = fuel - 7u;
        t6 = (l0 * 7u);
        WbR_i c0 = wf_0(L, fuel, l0);
        fuel = c0.fuel;
        if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
        t7 = c0.r0;
      }
      if (room < 6u) { w = wb_exhausted(L, 0x9800005bu); break; }
      WbR_i c1 = wf_1(L, f + 3u, room - 6u, low, fuel, r, t7);
      r = 0u;
      fuel = c1.fuel;
      if (c1.w != 0u) { w = wb_unwind(c1.w, 2u); break; }
      t8 = c1.r0;
      t4 = (t6 + t8);
    } else {
      if (r == 0u) {
        fuel = fuel - 3u;
      }
      if (r <= 3u) {
        if (room < 6u) { w = wb_exhausted(L, 0x98000061u); break; }
        WbR_i c2 = wf_1(L, f + 3u, room - 6u, low, fuel, r, 3u);
        r = 0u;
        fuel = c2.fuel;
        if (c2.w != 0u) { w = wb_unwind(c2.w, 3u); break; }
        t11 = c2.r0;
      }
      if (room < 6u) { w = wb_exhausted(L, 0x98000063u); break; }
      WbR_i c3 = wf_1(L, f + 3u, room - 6u, low, fuel, r, t11);
      r = 0u;
      fuel = c3.fuel;
      if (c3.w != 0u) { w = wb_unwind(c3.w, 4u); break; }
      t12 = c3.r0;
      t4 = t12;
    }
    t1 = t4;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, t6);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 3u: {
      if (A.room < 5u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004au), 3u);
        break;
      }
      WbR_i R = wf_3(L, f, A.room - 5u, low, fuel, resume, wb_get(L, 34u));
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
