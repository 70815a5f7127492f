#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 38u;
constant uint WB_GLOBALS_SIZE = 0u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_ii {
  uint w;
  uint fuel;
  uint r0;
  uint r1;
};
struct WbR_iil {
  uint w;
  uint fuel;
  uint r0;
  uint r1;
  ulong r2;
};
static WbR_ii wf_0(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_iil wf_1(wb_lane L, uint fuel, uint l0);
static WbR_ii wf_0(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t3 = 0u;
  do {
    fuel = fuel - 6u;
    w = wb_i32_div_u_check(l0, l1);
    if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x8000003bu; break; }
    w = wb_i32_div_u_check(l0, l1);
    if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x80000040u; break; }
    t2 = wb_i32_div_u(l0, l1);
    t3 = wb_i32_rem_u(l0, l1);
  } while (false);
  WbR_ii R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
  }
  R.fuel = fuel;
  R.r0 = t2;
  R.r1 = t3;
  return R;
}
static WbR_iil wf_1(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t2 = 0u;
  ulong t3 = 0ul;
  uint t5 = 0u;
  uint t6 = 0u;
  uint t7 = 0u;
  uint t8 = 0u;
  ulong t9 = 0ul;
  do {
    fuel = fuel - 6u;
    WbR_ii c0 = wf_0(L, fuel, l0, 10u);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    t5 = c0.r0;
    t6 = c0.r1;
    t7 = t5;
    t8 = t6;
    t9 = 1ul;
    if (!(l0 != 0u)) {
      fuel = fuel - 3u;
      t7 = 0u;
      t8 = 0u;
      t9 = 0ul;
    }
    t1 = t7;
    t2 = t8;
    t3 = t9;
  } while (false);
  WbR_iil R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
  }
  R.fuel = fuel;
  R.r0 = t1;
  R.r1 = t2;
  R.r2 = t3;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 1u: {
      WbR_iil R = wf_1(L, fuel, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
        wb_put(L, 35u, R.r1);
        wb_put64(L, 36u, R.r2);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
