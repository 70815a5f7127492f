#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 36u;
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
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  uint t6 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    t5 = wb_get(F, 3u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 1u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t5 = 1u;
    }
    if (r == 2u) { fuel = fuel + 10u; r = 0u; }
    while (true) {
      fuel = fuel - 10u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      t6 = (t5 * l0);
      l1 = (l1 - 1u);
      if (wb_i32_gt_s(l1, 0u) != 0u) {
        t5 = t6;
        continue;
      }
      t4 = t6;
      break;
    }
    if (w != 0u) { break; }
    t2 = t4;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, t5);
    }
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  uint t7 = 0u;
  uint t11 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t4 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 1u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t4 = l0;
    }
    if (r == 2u) { fuel = fuel + 9u; r = 0u; }
    while (true) {
      fuel = fuel - 9u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      do {
        t7 = wb_i32_shr_u(t4, 1u);
        l0 = (l0 - 1u);
        t11 = (l0 & 1u);
        t5 = t7;
        do {
          switch (t11) {
            case 1u: { break; }
            default: { w = 3u; break; }
          }
          break;
        } while (false);
        if (w != 0u) { break; }
        t4 = t7;
        w = 2u; break;
      } while (false);
      if (w == 3u) { w = 0u; }
      if (w != 0u) { w = 0u; continue; }
      t3 = t5;
      break;
    }
    if (w != 0u) { break; }
    t1 = t3;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, t4);
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
    case 0u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000033u), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 1u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004cu), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
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
