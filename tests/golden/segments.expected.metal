#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 37u;
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
constant uint wd_0[7] = {
  1684234849u,1751606885u,1818978921u,1886350957u,1953722993u,2021095029u,31353u,
};
constant uint wd_1[3] = {
  858927408u,926299444u,14648u,
};
static WbR_ wf_0(wb_lane L, uint fuel, uint l0);
static WbR_ wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2);
static WbR_ wf_2(wb_lane L, uint fuel);
static WbR_ wf_0(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  do {
    fuel = fuel - 4u;
    if (wb_memory_fill_outside(65536ul, l0, 5u)) { w = 0x88000049u; break; }
    if (wb_outside((ulong)26u, 3u, (ulong)5u)) { w = 0x88000049u; break; }
    fuel = fuel - 1u;
    D = D | wb_spans_of(l0, 5u, 11u);
    wb_memory_init_chunk(M, l0, wd_0, 3u, 5u);
  } while (false);
  wb_note_written(L, D);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
  }
  R.fuel = fuel;
  return R;
}
static WbR_ wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t7 = 0u;
  uint t8 = 0u;
  uint t9 = 0u;
  wb_mem M = wb_memory(L);
  uint D = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get(F, 3u);
    t7 = wb_get(F, 4u);
    t8 = wb_get(F, 5u);
    t9 = wb_get(F, 6u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 4u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      if (wb_memory_fill_outside(65536ul, l0, l2)) { w = 0x88000056u; break; }
      uint t4 = wb_get(L, 37u);
      if (wb_outside((ulong)(t4 != 0u ? 0u : 10u), l1, (ulong)l2)) { w = 0x88000056u; break; }
      t7 = l0;
      t8 = l1;
      t9 = l2;
      fuel = fuel - (((t9 < 4096u ? t9 : 4096u) + 15u) >> 4u);
    }
    do {
      while (true) {
        if (r == 0u) {
          uint t15 = (t9 < 4096u ? t9 : 4096u);
          D = D | wb_spans_of(t7, t15, 11u);
          wb_memory_init_chunk(M, t7, wd_1, t8, t15);
          t7 = (t7 + t15);
          t8 = (t8 + t15);
          t9 = (t9 - t15);
          if (t9 == 0u) { w = 2u; break; }
          fuel = fuel - (((t9 < 4096u ? t9 : 4096u) + 15u) >> 4u);
          if (wb_spent(fuel)) { w = 0x40000002u; break; }
        }
        if (r == 2u) { r = 0u; }
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
  } while (false);
  wb_note_written(L, D);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, l2);
      wb_put(F, 4u, t7);
      wb_put(F, 5u, t8);
      wb_put(F, 6u, t9);
    }
  }
  R.fuel = fuel;
  return R;
}
static WbR_ wf_2(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    fuel = fuel - 1u;
    wb_put(L, 37u, 1u);
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      WbR_ R = wf_0(L, fuel, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    case 1u: {
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004fu), 1u);
        break;
      }
      WbR_ R = wf_1(L, f, A.room - 8u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u), wb_get(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    case 2u: {
      WbR_ R = wf_2(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    default: { break; }
  }
  return E;
}
