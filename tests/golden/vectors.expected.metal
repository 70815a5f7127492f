#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 42u;
constant uint WB_GLOBALS_SIZE = 4u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_v {
  uint w;
  uint fuel;
  wb_v128 r0;
};
struct WbR_vi {
  uint w;
  uint fuel;
  wb_v128 r0;
  uint r1;
};
static WbR_v wf_0(wb_lane L, uint fuel, wb_v128 l0, wb_v128 l1);
static WbR_vi wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, wb_v128 l2);
static WbR_v wf_0(wb_lane L, uint fuel, wb_v128 l0, wb_v128 l1) {
  uint w = 0u;
  wb_v128 t2 = wb_v128_const(0x0u, 0x0u, 0x0u, 0x0u);
  do {
    fuel = fuel - 8u;
    t2 = wb_v128_bitselect(l0, wb_i8x16_swizzle(l1, l0), wb_f32x4_lt(l0, l1));
  } while (false);
  WbR_v R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_vi wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, wb_v128 l2) {
  uint w = 0u;
  wb_v128 l3 = wb_v128_const(0x0u, 0x0u, 0x0u, 0x0u);
  wb_v128 t4 = wb_v128_const(0x0u, 0x0u, 0x0u, 0x0u);
  uint t5 = 0u;
  wb_v128 t32 = wb_v128_const(0x0u, 0x0u, 0x0u, 0x0u);
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get_v128(F, 3u);
    t32 = wb_get_v128(F, 7u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 4u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t32 = wb_i32x4_add(l2, wb_v128_const(0x1u, 0x2u, 0x3u, 0x4u));
    }
    if (r == 2u) { fuel = fuel + 14u; r = 0u; }
    uint n1 = wb_rounds_until(0u, l1 + 4294967295u, 1u);
    uint e1 = 0u;
    uint a1_0 = l0;
    if (n1 != 0u && wb_inside(65536ul, a1_0, wb_span_of_rounds(n1, 16ul, 32ul)) && (a1_0 & 3u) == 0u) {
      wb_round k1 = 0u;
      wb_round m1 = (wb_round)wb_rounds_that_last(fuel, n1, 14u);
      for (k1 = 0u; k1 != m1; k1 = k1 + 1u) {
        fuel = fuel - 14u;
        wb_v128 t8 = wb_v128_load(M, wb_at_word(l0), 16ul);
        t32 = wb_f32x4_mul(t32, t8);
        l0 = (l0 + 16u);
        l1 = (l1 - 1u);
      }
      if (k1 != m1 || m1 == (wb_round)n1) { e1 = 1u; }
    }
    if (e1 == 0u) {
      while (true) {
        fuel = fuel - 14u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (wb_beyond(l0, 65504u)) { w = 0x8800007fu; break; }
        wb_v128 t8 = wb_v128_load(M, l0, 16ul);
        t32 = wb_f32x4_mul(t32, t8);
        l0 = (l0 + 16u);
        l1 = (l1 - 1u);
        if (l1 != 0u) { continue; }
        break;
      }
    }
    if (w != 0u) { break; }
    fuel = fuel - 24u;
    wb_v128 t14 = wb_get_v128(L, 42u);
    WbR_v c0 = wf_0(L, fuel, t32, t14);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    wb_v128 t15 = c0.r0;
    if (wb_beyond(l0, 65520u)) { w = 0x880000a1u; break; }
    D = D | wb_span_of(l0, 11u);
    wb_v128_store(M, l0, 0ul, t15);
    wb_v128 t16 = wb_get_v128(L, 42u);
    wb_put_v128(L, 42u, wb_i8x16_shuffle(t32, t16, wb_v128_const(0x11011000u, 0x13031202u, 0x15051404u, 0x17071606u)));
    if (wb_beyond(l0, 65526u)) { w = 0x880000c1u; break; }
    wb_v128_store16_lane(M, l0, 8ul, t32, 3u);
    if (wb_beyond(l0, 65535u)) { w = 0x880000d8u; break; }
    wb_v128 t27 = wb_v128_load8_lane(M, l0, 0ul, wb_f64x2_replace_lane(wb_i16x8_shl(t32, l1), wb_f64_canon(wb_f64_sqrt(wb_f64x2_extract_lane(t32, 0u))), 1u), 15u);
    t4 = t27;
    t5 = wb_i8x16_extract_lane_s(wb_i64x2_splat(5ul), 7u);
  } while (false);
  wb_note_written(L, D);
  WbR_vi R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put_v128(F, 3u, l2);
      wb_put_v128(F, 7u, t32);
    }
  }
  R.fuel = fuel;
  R.r0 = t4;
  R.r1 = t5;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 1u: {
      if (A.room < 13u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800005du), 1u);
        break;
      }
      WbR_vi R = wf_1(L, f, A.room - 13u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u), wb_get_v128(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_v128(L, 34u, R.r0);
        wb_put(L, 38u, R.r1);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
