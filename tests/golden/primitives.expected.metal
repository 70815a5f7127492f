#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 40u;
constant uint WB_GLOBALS_SIZE = 0u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 1u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_ {
  uint w;
  uint fuel;
};
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
struct WbR_l {
  uint w;
  uint fuel;
  ulong r0;
};
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, ulong l1, uint l2, uint l3);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2);
static WbR_l wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r);
static WbR_ wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_l wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, ulong l1, uint l2, uint l3) {
  uint w = 0u;
  uint t4 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      wb_put(L, 34u, l0);
      wb_put64(L, 35u, l1);
      wb_put(L, 37u, l2);
      wb_put(L, 38u, l3);
      uint t5 = 1u;
      wb_put(L, 39u, t5);
      if (wb_asks(L, 3u)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    t4 = wb_get(L, 34u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  R.r0 = t4;
  return R;
}
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t3 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      wb_put(L, 34u, l0);
      wb_put(L, 35u, l1);
      wb_put(L, 36u, l2);
      uint t4 = 1u;
      wb_put(L, 37u, t4);
      if (wb_asks(L, 4u)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    t3 = wb_get(L, 34u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_l wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r) {
  uint w = 0u;
  ulong t0 = 0ul;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      if (wb_asks(L, 7u)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    t0 = wb_get64(L, 34u);
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  R.r0 = t0;
  return R;
}
static WbR_ wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      wb_put(L, 34u, l0);
      if (wb_asks(L, 8u)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  return R;
}
static WbR_l wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r) {
  uint w = 0u;
  ulong t0 = 0ul;
  uint t7 = 0u;
  uint t8 = 0u;
  uint t9 = 0u;
  ulong t11 = 0ul;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 10u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
    }
    if (r <= 2u) {
      WbR_i c0 = wf_0(L, f + 3u, room - 0u, low, fuel, r, 0u, 0ul, 64u, 100u);
      r = 0u;
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
      t7 = c0.r0;
    }
    if (r <= 3u) {
      WbR_i c1 = wf_1(L, f + 3u, room - 0u, low, fuel, r, 1u, 64u, t7);
      r = 0u;
      fuel = c1.fuel;
      if (c1.w != 0u) { w = wb_unwind(c1.w, 3u); break; }
      t8 = c1.r0;
    }
    if (r == 0u) {
      t9 = (uint)(t8 == 0u);
    }
    if (r <= 4u) {
      if (r == 0u ? t9 != 0u : r <= 4u) {
        if (r == 0u) {
          fuel = fuel - 2u;
        }
        WbR_ c2 = wf_3(L, f + 3u, room - 0u, low, fuel, r, 3u);
        r = 0u;
        fuel = c2.fuel;
        if (c2.w != 0u) { w = wb_unwind(c2.w, 4u); break; }
      }
    }
    if (r == 0u) {
      fuel = fuel - 1u;
    }
    WbR_l c3 = wf_2(L, f + 3u, room - 0u, low, fuel, r);
    r = 0u;
    fuel = c3.fuel;
    if (c3.w != 0u) { w = wb_unwind(c3.w, 5u); break; }
    t11 = c3.r0;
    t0 = t11;
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 4u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, 1u);
      wb_put(F, 2u, 64u);
    }
  }
  R.fuel = fuel;
  R.r0 = t0;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 4u: {
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000092u), 4u);
        break;
      }
      WbR_l R = wf_4(L, f, A.room - 8u, low, fuel, resume);
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put64(L, 34u, R.r0);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
