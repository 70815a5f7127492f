#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 39u;
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
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, wb_f64 l0, wb_f64 l1, uint l2);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, wb_f64 l0, wb_f64 l1, uint l2) {
  uint w = 0u;
  wb_f64 l3 = wb_f64_const(0x0ul);
  wb_f64 l4 = wb_f64_const(0x0ul);
  wb_f64 l5 = wb_f64_const(0x0ul);
  wb_f64 l6 = wb_f64_const(0x0ul);
  uint l7 = 0u;
  uint t8 = 0u;
  wb_f64 t23 = wb_f64_const(0x0ul);
  wb_f64 t24 = wb_f64_const(0x0ul);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get_f64(F, 1u);
    l1 = wb_get_f64(F, 3u);
    l2 = wb_get(F, 5u);
    l3 = wb_get_f64(F, 6u);
    l4 = wb_get_f64(F, 8u);
    l7 = wb_get(F, 10u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    do {
      if (r == 2u) { fuel = fuel + 4u; r = 0u; }
      while (true) {
        fuel = fuel - 4u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (l7 >= l2) { w = 2u; break; }
        fuel = fuel - 14u;
        t23 = wb_f64_mul(l3, l3);
        t24 = wb_f64_mul(l4, l4);
        if (wb_f64_gt(wb_f64_add(t23, t24), wb_f64_const(0x4010000000000000ul)) != 0u) { w = 2u; break; }
        fuel = fuel - 19u;
        l4 = wb_f64_add(wb_f64_mul(wb_f64_mul(wb_f64_const(0x4000000000000000ul), l3), l4), l1);
        l3 = wb_f64_add(wb_f64_sub(t23, t24), l0);
        l7 = (l7 + 1u);
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t8 = l7;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put_f64(F, 1u, l0);
      wb_put_f64(F, 3u, l1);
      wb_put(F, 5u, l2);
      wb_put_f64(F, 6u, wb_f64_canon(l3));
      wb_put_f64(F, 8u, wb_f64_canon(l4));
      wb_put(F, 10u, l7);
    }
  }
  R.fuel = fuel;
  R.r0 = t8;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      if (A.room < 12u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000026u), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 12u, low, fuel, resume, wb_get_f64(L, 34u), wb_get_f64(L, 36u), wb_get(L, 38u));
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
