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
static WbR_l wf_0(wb_lane L, uint fuel, uint l0);
static WbR_l wf_0(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  ulong t1 = 0ul;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  do {
    fuel = fuel - 17u;
    if (wb_beyond(l0, 65534u)) { w = 0x88000036u; break; }
    uint t2 = wb_i32_load16_s(M, l0, 0ul);
    if (wb_beyond(l0, 65532u)) { w = 0x88000039u; break; }
    D = D | wb_span_of(l0 + 3u, 11u);
    wb_i32_store8_alone(M, l0, 3ul, t2);
    if (wb_beyond(l0, 0u)) { w = 0x88000040u; break; }
    ulong t3 = wb_i64_load8_u_alone(M, l0, 65535ul);
    if (wb_beyond(l0, 65532u)) { w = 0x88000045u; break; }
    D = D | wb_span_of(l0, 11u);
    wb_i64_store32(M, l0, 0ul, t3);
    if (wb_beyond(l0, 65532u)) { w = 0x8800004cu; break; }
    wb_f32 t5 = wb_f32_load(M, l0, 0ul);
    D = D | wb_span_of(8u, 11u);
    wb_f32_store(M, 8u, 0ul, t5);
    if (wb_beyond(l0, 65528u)) { w = 0x88000054u; break; }
    ulong t6 = wb_i64_load(M, l0, 0ul);
    uint t7 = 1u;
    t1 = (t6 + wb_i64_extend_i32_u(t7));
  } while (false);
  wb_note_written(L, D);
  WbR_l R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
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
      WbR_l R = wf_0(L, fuel, wb_get(L, 34u));
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
