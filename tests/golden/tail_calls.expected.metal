#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 36u;
constant uint WB_GLOBALS_SIZE = 0u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 1u;
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
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_1_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, uint l1);
static WbR_i wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 3u;
    t1 = (l0 * 3u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (l0 == 0u) {
      fuel = fuel - 2u;
      WbR_i c0 = wf_0(L, fuel, l1);
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
      uint t4 = c0.r0;
      t2 = t4;
      break;
    }
    fuel = fuel - 7u;
    wb_put(L, 34u, (l0 - 1u));
    wb_put(L, 35u, (l1 + 2u));
    w = wb_tail(L, 2u); break;
    uint t9 = 0u;
    t2 = t9;
    break;
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
static WbR_i wf_1_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  do {
    fuel = fuel - 3u;
    if (wb_spent(fuel)) { w = 0x40000001u; break; }
    if (l0 == 0u) {
      fuel = fuel - 2u;
      WbR_i c0 = wf_0(L, fuel, l1);
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
      uint t4 = c0.r0;
      t2 = t4;
      break;
    }
    fuel = fuel - 7u;
    wb_put(L, 34u, (l0 - 1u));
    wb_put(L, 35u, (l1 + 2u));
    w = wb_tail(L, 2u); break;
    uint t9 = 0u;
    t2 = t9;
    break;
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
static WbR_i wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  ulong l2 = 0ul;
  uint t3 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (l0 == 0u) {
      fuel = fuel - 1u;
      t3 = l1;
      break;
    }
    fuel = fuel - 5u;
    wb_put(L, 34u, (l0 - 1u));
    wb_put(L, 35u, l1);
    w = wb_tail(L, 1u); break;
    uint t7 = 0u;
    t3 = t7;
    break;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t4 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 5u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
    }
    WbR_i c0;
    if (r != 0u) {
      c0.w = WB_RETURNED;
      c0.fuel = fuel;
      c0.r0 = wb_get(L, 34u);
      r = 0u;
    } else {
      if (room < 7u) { w = wb_exhausted(L, 0x98000069u); break; }
      c0 = wf_1_1(L, f + 6u, room - 7u, low, fuel, l0, 0u);
    }
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind_root(L, c0.w, f + 3u, 1u, room, 2u); break; }
    t4 = c0.r0;
    t1 = (1u + t4);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, 1u);
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
    case 1u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000032u), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 2u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004bu), 2u);
        break;
      }
      WbR_i R = wf_2(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 3u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000062u), 3u);
        break;
      }
      WbR_i R = wf_3(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
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
