#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 36u;
constant uint WB_GLOBALS_SIZE = 6u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_ {
  uint w;
  uint fuel;
};
struct WbR_d {
  uint w;
  uint fuel;
  wb_f64 r0;
};
static WbR_ wf_0(wb_lane L, uint fuel);
static WbR_d wf_1(wb_lane L, uint fuel);
static WbR_ wf_0(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    fuel = fuel - 4u;
    ulong t0 = wb_get64(L, 37u);
    wb_put64(L, 37u, (t0 + 2ul));
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbR_d wf_1(wb_lane L, uint fuel) {
  uint w = 0u;
  wb_f64 t0 = wb_f64_const(0x0ul);
  do {
    fuel = fuel - 12u;
    uint t1 = wb_get(L, 36u);
    wb_put(L, 36u, (t1 + 1u));
    wb_f32 t4 = wb_get_f32(L, 39u);
    wb_f32 t5 = wb_get_f32(L, 39u);
    wb_put_f32(L, 39u, wb_f32_canon(wb_f32_div(t4, t5)));
    wb_f64 t7 = wb_get_f64(L, 40u);
    uint t8 = wb_get(L, 36u);
    t0 = wb_f64_canon(wb_f64_add(t7, wb_f64_convert_i32_u(t8)));
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t0;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      WbR_ R = wf_0(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    case 1u: {
      WbR_d R = wf_1(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, 34u, R.r0);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
