#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 37u;
constant uint WB_GLOBALS_SIZE = 0u;
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
static WbR_ wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2);
static WbR_ wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  uint t5 = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get(F, 3u);
    t3 = wb_get(F, 4u);
    t4 = wb_get(F, 5u);
    t5 = wb_get(F, 6u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 12u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      if (wb_memory_copy_outside(65536ul, l0, l1, l2)) { w = 0x8800002fu; break; }
      t3 = l0;
      t4 = l1;
      t5 = l2;
      fuel = fuel - (((t5 < 4096u ? t5 : 4096u) + 15u) >> 4u);
    }
    if (r <= 2u) {
      do {
        while (true) {
          if (r == 0u) {
            uint t11 = (t5 < 4096u ? t5 : 4096u);
            D = D | wb_chunk_spans(t3, t4, t5, 11u);
            wb_memory_copy_chunk(M, t3, t4, t5);
            uint t14 = (t3 <= t4 ? t11 : 0u);
            t3 = (t3 + t14);
            t4 = (t4 + t14);
            t5 = (t5 - t11);
            if (t5 == 0u) { w = 2u; break; }
            fuel = fuel - (((t5 < 4096u ? t5 : 4096u) + 15u) >> 4u);
            if (wb_spent(fuel)) { w = 0x40000002u; break; }
          }
          if (r == 2u) { r = 0u; }
          continue;
        }
        if (w != 0u) { break; }
      } while (false);
      if (w == 2u) { w = 0u; }
      if (w != 0u) { break; }
    }
    if (r == 0u) {
      if (wb_memory_fill_outside(65536ul, l1, l2)) { w = 0x88000039u; break; }
      t3 = l1;
      t4 = 0u;
      t5 = l2;
      fuel = fuel - (((t5 < 4096u ? t5 : 4096u) + 15u) >> 4u);
    }
    do {
      while (true) {
        if (r == 0u) {
          uint t32 = (t5 < 4096u ? t5 : 4096u);
          D = D | wb_spans_of(t3, t32, 11u);
          wb_memory_fill_chunk(M, t3, t4, t32);
          t3 = (t3 + t32);
          t5 = (t5 - t32);
          if (t5 == 0u) { w = 2u; break; }
          fuel = fuel - (((t5 < 4096u ? t5 : 4096u) + 15u) >> 4u);
          if (wb_spent(fuel)) { w = 0x40000003u; break; }
        }
        if (r == 3u) { r = 0u; }
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    if (wb_memory_fill_outside(65536ul, l0, 100u)) { w = 0x88000044u; break; }
    fuel = fuel - 7u;
    D = D | wb_spans_of(l0, 100u, 11u);
    wb_memory_fill_chunk(M, l0, 255u, 100u);
  } while (false);
  wb_note_written(L, D);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, l2);
      wb_put(F, 4u, t3);
      wb_put(F, 5u, t4);
      wb_put(F, 6u, t5);
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
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000028u), 0u);
        break;
      }
      WbR_ R = wf_0(L, f, A.room - 8u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u), wb_get(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    default: { break; }
  }
  return E;
}
