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
constant uint wt_0[3] = {
  1u,2u,3u,
};
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_1(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_2(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_3(wb_lane L, uint fuel, uint l0, uint l1, uint l2);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  do {
    fuel = fuel - 3u;
    t2 = (l0 + l1);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_1(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  do {
    fuel = fuel - 3u;
    t2 = (l0 - l1);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_2(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  do {
    fuel = fuel - 3u;
    t2 = (l0 * l1);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_3(wb_lane L, uint fuel, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  do {
    fuel = fuel - 4u;
    if (l0 >= 4u) { w = 0xa000005fu; break; }
    if (l0 >= 3u) { w = 0xa400005fu; break; }
    uint e1 = wt_0[l0];
    t5 = e1;
    if (t5 == 1u) {
      WbR_i c0 = wf_0(L, fuel, l1, l2);
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
      uint t8 = c0.r0;
      t4 = t8;
    }
    if (t5 == 2u) {
      WbR_i c1 = wf_1(L, fuel, l1, l2);
      fuel = c1.fuel;
      if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
      uint t11 = c1.r0;
      t4 = t11;
    }
    if (t5 == 3u) {
      WbR_i c2 = wf_2(L, fuel, l1, l2);
      fuel = c2.fuel;
      if (c2.w != 0u) { w = wb_unwind(c2.w, 0u); break; }
      uint t14 = c2.r0;
      t4 = t14;
    }
    t3 = t4;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 3u: {
      WbR_i R = wf_3(L, fuel, wb_get(L, 34u), wb_get(L, 35u), wb_get(L, 36u));
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
