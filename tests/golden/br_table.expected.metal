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
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
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
    do {
      if (r == 2u) { fuel = fuel + 3u; r = 0u; }
      while (true) {
        fuel = fuel - 3u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        if (l1 == 0u) { w = 2u; break; }
        fuel = fuel - 6u;
        l1 = (l1 - 1u);
        do {
          do {
            do {
              switch (l0) {
                case 2u: { w = 4u; break; }
                case 1u: { w = 5u; break; }
                case 0u: { break; }
                default: { w = 3u; break; }
              }
              break;
            } while (false);
            if (w != 0u) { break; }
            fuel = fuel - 3u;
            l0 = 1u;
            w = 3u; break;
          } while (false);
          if (w == 5u) { w = 0u; }
          if (w != 0u) { break; }
          fuel = fuel - 3u;
          l0 = 2u;
          w = 3u; break;
        } while (false);
        if (w == 4u) { w = 0u; }
        if (w != 0u) { w = 0u; continue; }
        fuel = fuel - 5u;
        l0 = (l1 & 3u);
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t2 = l0;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
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
    case 0u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000026u), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
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
