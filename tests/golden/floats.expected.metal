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
struct WbR_d {
  uint w;
  uint fuel;
  wb_f64 r0;
};
struct WbR_ffff {
  uint w;
  uint fuel;
  wb_f32 r0;
  wb_f32 r1;
  wb_f32 r2;
  wb_f32 r3;
};
static WbR_d wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_ffff wf_1(wb_lane L, uint fuel, wb_f32 l0, wb_f32 l1, wb_f32 l2);
static WbR_d wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  wb_f64 l1 = wb_f64_const(0x0ul);
  uint l2 = 0u;
  wb_f64 t3 = wb_f64_const(0x0ul);
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get_f64(F, 2u);
    l2 = wb_get(F, 4u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 2u) { fuel = fuel + 15u; r = 0u; }
    uint n1 = wb_rounds_below(l2 + 8u, l0, 8u, 0x0u);
    uint e1 = 0u;
    uint a1_0 = l2;
    if (n1 != 0u && wb_inside(65536ul, a1_0, wb_span_of_rounds(n1, 8ul, 1032ul)) && (a1_0 & 3u) == 0u) {
      wb_round k1 = 0u;
      wb_round m1 = (wb_round)wb_rounds_that_last(fuel, n1, 15u);
      wb_words P1_0 = wb_words_at(M, a1_0);
      for (k1 = 0u; k1 != m1; k1 = k1 + 1u) {
        fuel = fuel - 15u;
        wb_f64 t4 = wb_f64_reinterpret_i64(wb_word_get64(P1_0, (ulong)k1 * 2ul + 0ul));
        wb_f64 t5 = wb_f64_reinterpret_i64(wb_word_get64(P1_0, (ulong)k1 * 2ul + 256ul));
        l1 = wb_f64_add(l1, wb_f64_mul(t4, t5));
        l2 = (l2 + 8u);
      }
      if (k1 != m1 || m1 == (wb_round)n1) { e1 = 1u; }
    }
    if (e1 == 0u) {
      while (true) {
        fuel = fuel - 15u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (wb_beyond(l2, 65528u)) { w = 0x88000043u; break; }
        wb_f64 t4 = wb_f64_load(M, wb_at_word(l2), 0ul);
        if (wb_beyond(l2, 64504u)) { w = 0x88000048u; break; }
        wb_f64 t5 = wb_f64_load(M, wb_at_word(l2), 1024ul);
        l1 = wb_f64_add(l1, wb_f64_mul(t4, t5));
        l2 = (l2 + 8u);
        if (l2 < l0) { continue; }
        break;
      }
    }
    if (w != 0u) { break; }
    fuel = fuel - 9u;
    wb_f32 t16 = wb_f32_canon(wb_f32_demote_f64(l1));
    D = D | wb_span_of(0u, 11u);
    wb_f32_store(M, 0u, 0ul, t16);
    t3 = wb_f64_canon(wb_f64_sqrt(l1));
  } while (false);
  wb_note_written(L, D);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, wb_f64_canon(l1));
      wb_put(F, 4u, l2);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_ffff wf_1(wb_lane L, uint fuel, wb_f32 l0, wb_f32 l1, wb_f32 l2) {
  uint w = 0u;
  wb_f32 l3 = wb_f32_const(0x0u);
  wb_f32 t4 = wb_f32_const(0x0u);
  wb_f32 t5 = wb_f32_const(0x0u);
  wb_f32 t6 = wb_f32_const(0x0u);
  wb_f32 t7 = wb_f32_const(0x0u);
  do {
    fuel = fuel - 24u;
    wb_f32 t17 = wb_f32_mul(l0, l1);
    t4 = wb_f32_canon(wb_f32_mul_add(l0, l1, l2));
    t5 = wb_f32_canon(wb_f32_sub_mul(l0, l1, l2));
    t6 = wb_f32_canon(wb_f32_mul_sub(l0, l1, wb_f32_mul(l1, l2)));
    t7 = wb_f32_canon(wb_f32_add(t17, t17));
  } while (false);
  WbR_ffff R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t4;
  R.r1 = t5;
  R.r2 = t6;
  R.r3 = t7;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000038u), 0u);
        break;
      }
      WbR_d R = wf_0(L, f, A.room - 8u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, 34u, R.r0);
      }
      break;
    }
    case 1u: {
      WbR_ffff R = wf_1(L, fuel, wb_get_f32(L, 34u), wb_get_f32(L, 35u), wb_get_f32(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f32(L, 34u, R.r0);
        wb_put_f32(L, 35u, R.r1);
        wb_put_f32(L, 36u, R.r2);
        wb_put_f32(L, 37u, R.r3);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
