#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 35u;
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
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t2 = 0u;
  wb_mem M = wb_memory(L);
  ulong mb = wb_memory_bytes(L);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 2u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    r = 0u;
    uint g2 = wb_memory_grow(L, l0);
    if (g2 == WB_GROW_LEAVES) { w = 0x40000002u; break; }
    mb = wb_memory_bytes(L);
    t2 = g2;
    fuel = fuel - (t2 != 4294967295u ? l0 : 0u);
    t1 = t2;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t3 = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  ulong mb = wb_memory_bytes(L);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 10u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
    }
    if (room < 4u) { w = wb_exhausted(L, 0x9800003fu); break; }
    WbR_i c0 = wf_0(L, f + 3u, room - 4u, low, fuel, r, l0);
    r = 0u;
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
    t3 = c0.r0;
    mb = wb_memory_bytes(L);
    D = D | wb_span_of(4u, 11u);
    wb_i32_store(M, 4u, 0ul, t3);
    uint t4 = wb_get(L, WB_LANE_PAGES);
    uint t8 = ((t4 * 65536u) - 4u);
    if (wb_outside(mb, t8, 4ul)) { w = 0x8800004eu; break; }
    uint t9 = wb_i32_load(M, wb_at_word(t8), 0ul);
    t1 = t9;
  } while (false);
  wb_note_written(L, D);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, 4u);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint l1 = 0u;
  uint t2 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  uint t14 = 0u;
  wb_mem M = wb_memory(L);
  ulong mb = wb_memory_bytes(L);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    t4 = wb_get(F, 3u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r <= 3u) {
      if (r == 2u) { fuel = fuel + 12u; r = 0u; }
      while (true) {
        if (r == 0u) {
          fuel = fuel - 12u;
          if (wb_group_is_low(fuel, low)) { w = 0x40000002u; break; }
          t4 = (l0 & 1u);
        }
        r = 0u;
        uint g7 = wb_memory_grow(L, t4);
        if (g7 == WB_GROW_LEAVES) { w = 0x40000003u; break; }
        mb = wb_memory_bytes(L);
        t5 = g7;
        fuel = fuel - (t5 != 4294967295u ? t4 : 0u);
        l1 = (l1 + t5);
        l0 = (l0 - 1u);
        if (l0 != 0u) { continue; }
        break;
      }
      if (w != 0u) { break; }
    }
    if (r == 0u) {
      fuel = fuel - 4u;
    }
    r = 0u;
    uint g23 = wb_memory_grow(L, 1u);
    if (g23 == WB_GROW_LEAVES) { w = 0x40000004u; break; }
    mb = wb_memory_bytes(L);
    t14 = g23;
    fuel = fuel - (t14 != 4294967295u ? 1u : 0u);
    t2 = (l1 + t14);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, t4);
      wb_put(F, 4u, 1u);
    }
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
    case 1u: {
      if (A.room < 5u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800003au), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 5u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 2u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000053u), 2u);
        break;
      }
      WbR_i R = wf_2(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u));
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
