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
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint s1 = 0u;
  uint l1 = 0u;
  uint t2 = 0u;
  wb_mem M = wb_memory(L);
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
        do {
          do {
            do {
              if (wb_beyond(l0, 65535u)) { w = 0x8800005au; break; }
              uint t3 = wb_i32_load8_u_alone(M, l0, 0ul);
              switch (t3) {
                case 15u: { w = 5u; break; }
                case 14u: { s1 = 15u; break; }
                case 13u: { s1 = 14u; break; }
                case 12u: { s1 = 13u; break; }
                case 11u: { s1 = 12u; break; }
                case 10u: { s1 = 11u; break; }
                case 9u: { s1 = 10u; break; }
                case 8u: { s1 = 9u; break; }
                case 7u: { s1 = 8u; break; }
                case 6u: { s1 = 7u; break; }
                case 5u: { s1 = 6u; break; }
                case 4u: { s1 = 5u; break; }
                case 3u: { s1 = 4u; break; }
                case 2u: { s1 = 3u; break; }
                case 1u: { s1 = 2u; break; }
                case 0u: { s1 = 1u; break; }
                default: { w = 2u; break; }
              }
              break;
            } while (false);
            if (w != 0u) { break; }
            while (true) {
              switch (s1) {
                case 1u: {
                  fuel = fuel - 5u;
                  l1 = (l1 + 3u);
                  w = 4u; break;
                }
                case 2u: {
                  fuel = fuel - 5u;
                  l1 = (l1 - 4u);
                  w = 4u; break;
                }
                case 3u: {
                  fuel = fuel - 5u;
                  l1 = (l1 * 5u);
                  w = 4u; break;
                }
                case 4u: {
                  fuel = fuel - 4u;
                  l1 = (l1 ^ 6u);
                  s1 = 5u; continue;
                }
                case 5u: {
                  fuel = fuel - 5u;
                  l1 = (l1 + 7u);
                  w = 4u; break;
                }
                case 6u: {
                  fuel = fuel - 5u;
                  l1 = (l1 - 8u);
                  w = 4u; break;
                }
                case 7u: {
                  fuel = fuel - 5u;
                  l1 = (l1 * 9u);
                  w = 4u; break;
                }
                case 8u: {
                  fuel = fuel - 4u;
                  l1 = (l1 ^ 10u);
                  s1 = 9u; continue;
                }
                case 9u: {
                  fuel = fuel - 5u;
                  l1 = (l1 + 11u);
                  w = 4u; break;
                }
                case 10u: {
                  fuel = fuel - 5u;
                  l1 = (l1 - 12u);
                  w = 4u; break;
                }
                case 11u: {
                  fuel = fuel - 5u;
                  l1 = (l1 * 13u);
                  w = 4u; break;
                }
                case 12u: {
                  fuel = fuel - 4u;
                  l1 = (l1 ^ 14u);
                  s1 = 13u; continue;
                }
                case 13u: {
                  fuel = fuel - 5u;
                  l1 = (l1 + 15u);
                  w = 4u; break;
                }
                case 14u: {
                  fuel = fuel - 5u;
                  l1 = (l1 - 16u);
                  w = 4u; break;
                }
                case 15u: {
                  fuel = fuel - 5u;
                  l1 = (l1 * 17u);
                  w = 4u; break;
                }
                default: { break; }
              }
              break;
            }
          } while (false);
          if (w == 5u) { w = 0u; }
          if (w != 0u) { break; }
          fuel = fuel - 4u;
          l1 = (l1 ^ 18u);
        } while (false);
        if (w == 4u) { w = 0u; }
        if (w != 0u) { break; }
        fuel = fuel - 5u;
        l0 = (l0 + 1u);
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t2 = l1;
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
        E.w = wb_end(L, wb_exhausted(L, 0x9800002fu), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
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
