#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 41u;
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
struct WbR_l {
  uint w;
  uint fuel;
  ulong r0;
};
struct WbR_li {
  uint w;
  uint fuel;
  ulong r0;
  uint r1;
};
static WbR_li wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, ulong l1, wb_f32 l2, wb_f64 l3);
static WbR_l wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_ wf_2(wb_lane L, uint fuel);
static WbR_ wf_3(wb_lane L, uint fuel);
static WbR_li wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, ulong l1, wb_f32 l2, wb_f64 l3) {
  uint w = 0u;
  ulong t4 = 0ul;
  uint t5 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      wb_put(L, 34u, 3u);
      wb_put(L, 35u, l0);
      wb_put64(L, 36u, l1);
      wb_put_f32(L, 38u, l2);
      wb_put_f64(L, 39u, l3);
      if (wb_asks(L, 10u)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    t4 = wb_get64(L, 34u);
    t5 = wb_get(L, 36u);
  } while (false);
  WbR_li R;
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
  R.r1 = t5;
  return R;
}
static WbR_l wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  ulong t1 = 0ul;
  ulong t5 = 0ul;
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
    WbR_li c0 = wf_0(L, f + 2u, room - 0u, low, fuel, r, l0, 7ul, wb_f32_const(0x3fc00000u), wb_f64_const(0x4004000000000000ul));
    r = 0u;
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
    t5 = c0.r0;
    t1 = t5;
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_ wf_2(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbR_ wf_3(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 1u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004au), 1u);
        break;
      }
      WbR_l R = wf_1(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put64(L, 34u, R.r0);
      }
      break;
    }
    case 2u: {
      WbR_ R = wf_2(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    case 3u: {
      WbR_ R = wf_3(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    default: { break; }
  }
  return E;
}
