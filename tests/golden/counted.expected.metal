#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 36u;
constant uint WB_GLOBALS_SIZE = 1u;
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
struct WbR_f {
  uint w;
  uint fuel;
  wb_f32 r0;
};
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_f wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_ wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint l1 = 0u;
  uint l2 = 0u;
  uint l3 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  uint t23 = 0u;
  uint t24 = 0u;
  uint t25 = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    t5 = wb_get(F, 1u);
    t23 = wb_get(F, 2u);
    t24 = wb_get(F, 3u);
    t25 = wb_get(F, 4u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 12u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t5 = wb_get(L, 36u);
      t23 = (t5 - 320u);
      wb_put(L, 36u, t23);
      t24 = (t23 | 4u);
      t25 = 0u;
    }
    if (r == 2u) { fuel = fuel + 20u; r = 0u; }
    uint a1_0 = t5 + 4294966976u;
    uint a1_1 = t5 + 4294966976u;
    if (t25 == 0u && wb_fuel_lasts(fuel, 16u, 20ul) && wb_inside(65536ul, a1_0, 16ul) && (a1_0 & 3u) == 0u && wb_inside(65536ul, a1_1, wb_span_of_rounds(16u, 4ul, 36ul)) && (a1_1 & 3u) == 0u && wb_apart(a1_0 + 0u, 16ul, a1_1 + 32u, wb_span_of_rounds(16u, 4ul, 4ul))) {
      t25 = 0u;
      D = D | wb_spans_of(a1_0, (uint)16ul, 11u);
      wb_words P1_0 = wb_words_at(M, wb_at_tile(a1_0));
      wb_words P1_1 = wb_words_at(M, a1_1);
      uint q1_0_0 = wb_word_get(P1_0, 0ul);
      uint q1_0_1 = wb_word_get(P1_0, 1ul);
      uint q1_0_2 = wb_word_get(P1_0, 2ul);
      uint q1_0_3 = wb_word_get(P1_0, 3ul);
      #pragma unroll
      for (wb_round k1 = 0u; k1 != (wb_round)16u; k1 = k1 + 1u) {
        fuel = fuel - 20u;
        ulong t11 = ((ulong)q1_0_0 | ((ulong)q1_0_1 << 32u));
        q1_0_1 = (uint)t11;
        q1_0_2 = (uint)(t11 >> 32u);
        uint t12 = q1_0_3;
        uint t14 = wb_word_get(P1_1, (ulong)k1 * 1ul + 8ul);
        uint t15 = (t12 + t14);
        q1_0_0 = t15;
        t25 = (t25 + 4u);
      }
      wb_word_put(P1_0, 0ul, q1_0_0);
      wb_word_put(P1_0, 1ul, q1_0_1);
      wb_word_put(P1_0, 2ul, q1_0_2);
    } else {
      while (true) {
        fuel = fuel - 20u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (wb_beyond(t23, 65528u)) { w = 0x8800006cu; break; }
        ulong t11 = wb_i64_load(M, wb_at_word(t23), 0ul);
        if (wb_beyond(t24, 65528u)) { w = 0x8800006fu; break; }
        D = D | wb_span_of(t24, 11u);
        wb_i64_store(M, wb_at_word(t24), 0ul, t11);
        if (wb_beyond(t23, 65520u)) { w = 0x88000076u; break; }
        uint t12 = wb_i32_load(M, wb_at_word(t23), 12ul);
        uint t13 = (t23 + t25);
        if (wb_beyond(t13, 65500u)) { w = 0x8800007eu; break; }
        uint t14 = wb_i32_load(M, wb_at_word(t13), 32ul);
        uint t15 = (t12 + t14);
        if (wb_beyond(t23, 65532u)) { w = 0x88000082u; break; }
        D = D | wb_span_of(t23, 11u);
        wb_i32_store(M, wb_at_word(t23), 0ul, t15);
        t25 = (t25 + 4u);
        if (t25 != 64u) { continue; }
        break;
      }
    }
    if (w != 0u) { break; }
    fuel = fuel - 6u;
    wb_put(L, 36u, (t23 + 320u));
    if (wb_beyond(t23, 65532u)) { w = 0x8800009du; break; }
    uint t22 = wb_i32_load(M, wb_at_word(t23), 0ul);
    t4 = t22;
  } while (false);
  wb_note_written(L, D);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, t5);
      wb_put(F, 2u, t23);
      wb_put(F, 3u, t24);
      wb_put(F, 4u, t25);
    }
  }
  R.fuel = fuel;
  R.r0 = t4;
  return R;
}
static WbR_f wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  wb_f32 l2 = wb_f32_const(0x0u);
  wb_f32 t3 = wb_f32_const(0x0u);
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get_f32(F, 3u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    do {
      if (r == 2u) { fuel = fuel + 4u; r = 0u; }
      uint n2 = wb_rounds_below(l1, 0u, 1u, 0x7fffffffu);
      uint e2 = 0u;
      uint a2_0 = l0;
      uint a2_1 = l0 + l1 * 12u - (n2 - 1u) * 12u;
      uint a2_2 = l1 - (n2 - 1u) * 1u;
      if (n2 != 0u && wb_inside(65536ul, a2_0, 8ul) && (a2_0 & 3u) == 0u && wb_inside(65536ul, a2_1, wb_span_of_rounds(n2, 12ul, 4ul)) && (a2_1 & 3u) == 0u && wb_inside(65536ul, a2_2, wb_span_of_rounds(n2, 1ul, 1ul)) && wb_apart(a2_0 + 4u, 4ul, a2_1 + 0u, wb_span_of_rounds(n2, 12ul, 4ul)) && wb_apart(a2_0 + 4u, 4ul, a2_2 + 0u, wb_span_of_rounds(n2, 1ul, 1ul))) {
        wb_round k2 = 0u;
        wb_round m2 = (wb_round)wb_rounds_that_last(fuel, n2, 24u);
        D = D | wb_spans_of(a2_0, (uint)8ul, 11u);
        D = D | wb_spans_of(a2_2, (uint)wb_span_of_rounds(n2, 1ul, 1ul), 11u);
        wb_words P2_0 = wb_words_at(M, a2_0);
        wb_words P2_1 = wb_words_at(M, a2_1);
        wb_f32 q2_0_1 = wb_f32_reinterpret_i32(wb_word_get(P2_0, 1ul));
        for (k2 = 0u; k2 != m2; k2 = k2 + 1u) {
          fuel = fuel - 4u;
          if (wb_i32_le_s(l1, 0u) != 0u) { w = 2u; break; }
          fuel = fuel - 20u;
          q2_0_1 = wb_f32_canon(l2);
          wb_f32 t9 = wb_f32_reinterpret_i32(wb_word_get(P2_1, ((ulong)n2 - 1ul - (ulong)k2) * 3ul + 0ul));
          l2 = wb_f32_add(l2, t9);
          wb_i32_store8_alone(M, l1, 0ul, 7u);
          l1 = (l1 - 1u);
          continue;
        }
        wb_word_put(P2_0, 1ul, wb_i32_reinterpret_f32(q2_0_1));
        if (k2 != m2 || m2 == (wb_round)n2) { e2 = 1u; }
      }
      if (e2 == 0u) {
        while (true) {
          fuel = fuel - 4u;
          if (wb_spent(fuel)) { w = 0x40000002u; break; }
          if (wb_i32_le_s(l1, 0u) != 0u) { w = 2u; break; }
          fuel = fuel - 20u;
          wb_f32 t14 = wb_f32_canon(l2);
          if (wb_beyond(l0, 65528u)) { w = 0x880000b4u; break; }
          D = D | wb_span_of(l0 + 4u, 11u);
          wb_f32_store(M, l0, 4ul, t14);
          uint t8 = (l0 + (l1 * 12u));
          if (wb_beyond(t8, 65532u)) { w = 0x880000c1u; break; }
          wb_f32 t9 = wb_f32_load(M, t8, 0ul);
          l2 = wb_f32_add(l2, t9);
          if (wb_beyond(l1, 65535u)) { w = 0x880000cbu; break; }
          D = D | wb_span_of(l1, 11u);
          wb_i32_store8_alone(M, l1, 0ul, 7u);
          l1 = (l1 - 1u);
          continue;
        }
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t3 = wb_f32_canon(l2);
  } while (false);
  wb_note_written(L, D);
  WbR_f R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put_f32(F, 3u, wb_f32_canon(l2));
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_ wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 2u) { fuel = fuel + 11u; r = 0u; }
    uint n1 = wb_rounds_until(0u, l1 + 4294967295u, 1u);
    uint e1 = 0u;
    uint a1_0 = l0;
    if (n1 != 0u && wb_inside(65536ul, a1_0, 8ul) && (a1_0 & 3u) == 0u) {
      wb_round k1 = 0u;
      wb_round m1 = (wb_round)wb_rounds_that_last(fuel, n1, 11u);
      D = D | wb_spans_of(a1_0, (uint)8ul, 11u);
      wb_words P1_0 = wb_words_at(M, a1_0);
      wb_f64 q1_0_0 = wb_f64_reinterpret_i64(wb_word_get64(P1_0, 0ul));
      for (k1 = 0u; k1 != m1; k1 = k1 + 1u) {
        fuel = fuel - 11u;
        wb_f64 t2 = q1_0_0;
        q1_0_0 = wb_f64_add(t2, wb_f64_const(0x3ff0000000000000ul));
        l1 = (l1 - 1u);
      }
      if (m1 != 0u) {
        wb_word_put64(P1_0, 0ul, wb_i64_reinterpret_f64(wb_f64_canon(q1_0_0)));
      }
      if (k1 != m1 || m1 == (wb_round)n1) { e1 = 1u; }
    }
    if (e1 == 0u) {
      while (true) {
        fuel = fuel - 11u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (wb_beyond(l0, 65528u)) { w = 0x880000e4u; break; }
        wb_f64 t2 = wb_f64_load(M, l0, 0ul);
        wb_f64 t7 = wb_f64_canon(wb_f64_add(t2, wb_f64_const(0x3ff0000000000000ul)));
        if (wb_beyond(l0, 65528u)) { w = 0x880000f1u; break; }
        D = D | wb_span_of(l0, 11u);
        wb_f64_store(M, l0, 0ul, t7);
        l1 = (l1 - 1u);
        if (l1 != 0u) { continue; }
        break;
      }
    }
    if (w != 0u) { break; }
  } while (false);
  wb_note_written(L, D);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
    }
  }
  R.fuel = fuel;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      if (A.room < 10u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004cu), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 10u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 1u: {
      if (A.room < 9u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000a2u), 1u);
        break;
      }
      WbR_f R = wf_1(L, f, A.room - 9u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f32(L, 34u, R.r0);
      }
      break;
    }
    case 2u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000ddu), 2u);
        break;
      }
      WbR_ R = wf_2(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    default: { break; }
  }
  return E;
}
