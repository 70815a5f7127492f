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
struct WbR_l {
  uint w;
  uint fuel;
  ulong r0;
};
static WbR_l wf_0(wb_lane L, uint fuel, ulong l0);
static WbR_l wf_0(wb_lane L, uint fuel, ulong l0) {
  uint w = 0u;
  ulong t1 = 0ul;
  ulong t5 = 0ul;
  do {
    fuel = fuel - 5u;
    if (wb_i32_wrap_i64((l0 & 1ul)) != 0u) {
      fuel = fuel - 5u;
      t5 = ((l0 * 3ul) + 1ul);
    } else {
      fuel = fuel - 3u;
      t5 = wb_i64_shr_u(l0, 1ul);
    }
    t1 = t5;
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
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
      WbR_l R = wf_0(L, fuel, wb_get64(L, 34u));
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
