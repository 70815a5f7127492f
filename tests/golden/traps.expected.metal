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
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1, wb_f64 l2);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1, wb_f64 l2) {
  uint w = 0u;
  uint t3 = 0u;
  wb_mem M = wb_memory(L);
  do {
    fuel = fuel - 3u;
    if (l0 == 0u) {
      w = 0x8400002fu; break;
    }
    fuel = fuel - 13u;
    w = wb_i32_div_s_check(l0, l1);
    if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x80000035u; break; }
    w = wb_i32_div_u_check(l0, l1);
    if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x8000003au; break; }
    w = wb_i32_trunc_f64_s_check(l2);
    if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x8000003eu; break; }
    if (wb_outside(65536ul, l0, 70004ul)) { w = 0x88000041u; break; }
    uint t9 = wb_i32_load(M, l0, 70000ul);
    t3 = ((wb_i32_div_s(l0, l1) + wb_i32_rem_s(l0, l1)) + (wb_i32_trunc_f64_s(l2) + t9));
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
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
    case 0u: {
      WbR_i R = wf_0(L, fuel, wb_get(L, 34u), wb_get(L, 35u), wb_get_f64(L, 36u));
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
