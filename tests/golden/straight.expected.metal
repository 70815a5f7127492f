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
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_1(wb_lane L, uint fuel, uint l0);
static WbR_i wf_2(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t11 = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  do {
    fuel = fuel - 12u;
    uint a2_0 = l1;
    uint a2_1 = l0;
    if (wb_inside(65536ul, a2_0, 16ul) && (a2_0 & 3u) == 0u && wb_inside(65536ul, a2_1, 20ul) && (a2_1 & 3u) == 0u && wb_apart(a2_0 + 0u, 16ul, a2_1 + 0u, 20ul) && wb_apart(a2_1 + 0u, 20ul, a2_0 + 0u, 16ul)) {
      D = D | wb_spans_of(a2_1, (uint)20ul, 11u);
      wb_words P2_0 = wb_words_at(M, a2_0);
      wb_words P2_1 = wb_words_at(M, a2_1);
      uint q2_0_0 = wb_word_get(P2_0, 0ul);
      uint q2_0_1 = wb_word_get(P2_0, 1ul);
      uint q2_0_2 = wb_word_get(P2_0, 2ul);
      uint q2_0_3 = wb_word_get(P2_0, 3ul);
      uint q2_1_0 = wb_word_get(P2_1, 0ul);
      uint q2_1_1 = wb_word_get(P2_1, 1ul);
      ulong q2_1_2 = wb_word_get64(P2_1, 2ul);
      uint q2_1_4 = wb_word_get(P2_1, 4ul);
      do {
        uint t3 = q2_0_0;
        q2_1_0 = t3;
        uint t4 = q2_0_1;
        q2_1_1 = t4;
        uint t5 = q2_0_2;
        if (!(t5 == 0u)) {
          fuel = fuel - 11u;
          ulong t7 = ((ulong)q2_0_2 | ((ulong)q2_0_3 << 32u));
          q2_1_2 = t7;
          uint t8 = q2_1_1;
          uint t9 = q2_1_0;
          w = wb_i32_div_u_check(t8, t9);
          if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x80000064u; break; }
          uint t10 = wb_i32_div_u(t8, t9);
          q2_1_4 = t10;
        }
        fuel = fuel - 2u;
        t11 = q2_1_4;
      } while (false);
      wb_word_put(P2_1, 0ul, q2_1_0);
      wb_word_put(P2_1, 1ul, q2_1_1);
      wb_word_put64(P2_1, 2ul, q2_1_2);
      wb_word_put(P2_1, 4ul, q2_1_4);
    } else {
      if (wb_beyond(l1, 65532u)) { w = 0x88000036u; break; }
      uint t3 = wb_i32_load(M, l1, 0ul);
      if (wb_beyond(l0, 65532u)) { w = 0x88000039u; break; }
      D = D | wb_span_of(l0, 11u);
      wb_i32_store(M, l0, 0ul, t3);
      if (wb_beyond(l1, 65528u)) { w = 0x88000040u; break; }
      uint t4 = wb_i32_load(M, l1, 4ul);
      if (wb_beyond(l0, 65528u)) { w = 0x88000043u; break; }
      wb_i32_store(M, l0, 4ul, t4);
      if (wb_beyond(l1, 65524u)) { w = 0x88000048u; break; }
      uint t5 = wb_i32_load(M, l1, 8ul);
      if (!(t5 == 0u)) {
        fuel = fuel - 11u;
        if (wb_beyond(l1, 65520u)) { w = 0x88000052u; break; }
        ulong t7 = wb_i64_load(M, l1, 8ul);
        if (wb_beyond(l0, 65520u)) { w = 0x88000055u; break; }
        wb_i64_store(M, l0, 8ul, t7);
        if (wb_beyond(l0, 65528u)) { w = 0x8800005cu; break; }
        uint t8 = wb_i32_load(M, l0, 4ul);
        if (wb_beyond(l0, 65532u)) { w = 0x88000061u; break; }
        uint t9 = wb_i32_load(M, l0, 0ul);
        w = wb_i32_div_u_check(t8, t9);
        if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x80000064u; break; }
        uint t10 = wb_i32_div_u(t8, t9);
        if (wb_beyond(l0, 65516u)) { w = 0x88000065u; break; }
        wb_i32_store(M, l0, 16ul, t10);
      }
      fuel = fuel - 2u;
      if (wb_beyond(l0, 65516u)) { w = 0x8800006bu; break; }
      t11 = wb_i32_load(M, l0, 16ul);
    }
    if (w != 0u) { break; }
    t2 = t11;
  } while (false);
  wb_note_written(L, D);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_1(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t8 = 0u;
  uint t11 = 0u;
  uint t12 = 0u;
  uint t13 = 0u;
  wb_mem M = wb_memory(L);
  do {
    fuel = fuel - 23u;
    uint a1_0 = l0;
    if (wb_inside(65536ul, a1_0, 10ul) && (a1_0 & 1u) == 0u) {
      uint t2 = wb_i32_load8_u_alone(M, l0, 0ul);
      uint t3 = wb_i32_load8_u_alone(M, l0, 1ul);
      uint t5 = wb_i32_load8_u_alone(M, l0, 2ul);
      uint t6 = wb_i32_load8_u_alone(M, l0, 3ul);
      t8 = ((t2 + t3) + (t5 + t6));
      uint t9 = wb_i32_load8_u_alone(M, l0, 4ul);
      uint t10 = wb_i32_load8_u_alone(M, l0, 5ul);
      t11 = (t9 + t10);
      t12 = wb_i32_load8_u_alone(M, l0, 6ul);
      t13 = wb_i32_load16_u(M, wb_at_half(l0), 8ul);
    } else {
      if (wb_beyond(l0, 65535u)) { w = 0x88000073u; break; }
      uint t2 = wb_i32_load8_u_alone(M, l0, 0ul);
      if (wb_beyond(l0, 65534u)) { w = 0x88000078u; break; }
      uint t3 = wb_i32_load8_u_alone(M, l0, 1ul);
      if (wb_beyond(l0, 65533u)) { w = 0x8800007eu; break; }
      uint t5 = wb_i32_load8_u_alone(M, l0, 2ul);
      if (wb_beyond(l0, 65532u)) { w = 0x88000083u; break; }
      uint t6 = wb_i32_load8_u_alone(M, l0, 3ul);
      t8 = ((t2 + t3) + (t5 + t6));
      if (wb_beyond(l0, 65531u)) { w = 0x8800008au; break; }
      uint t9 = wb_i32_load8_u_alone(M, l0, 4ul);
      if (wb_beyond(l0, 65530u)) { w = 0x8800008fu; break; }
      uint t10 = wb_i32_load8_u_alone(M, l0, 5ul);
      t11 = (t9 + t10);
      if (wb_beyond(l0, 65529u)) { w = 0x88000095u; break; }
      t12 = wb_i32_load8_u_alone(M, l0, 6ul);
      if (wb_beyond(l0, 65526u)) { w = 0x8800009au; break; }
      t13 = wb_i32_load16_u(M, l0, 8ul);
    }
    t1 = (t8 + (t11 + (t12 + t13)));
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_2(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  do {
    fuel = fuel - 6u;
    WbR_i c0 = wf_0(L, fuel, l0, l1);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    uint t3 = c0.r0;
    WbR_i c1 = wf_1(L, fuel, l0);
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
    uint t4 = c1.r0;
    t2 = (t3 + t4);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 2u: {
      WbR_i R = wf_2(L, fuel, wb_get(L, 34u), wb_get(L, 35u));
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
