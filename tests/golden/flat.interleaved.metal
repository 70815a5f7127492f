#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 32u;
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
__attribute__((noinline)) static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint s1 = 0u;
  uint t1 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r <= 1u) {
      do {
        if (r == 0u) {
          if (wb_spent(fuel)) { w = 0x40000001u; break; }
        }
        if (r == 1u) { r = 0u; }
        s1 = 1u;
      } while (false);
      if (w != 0u) { break; }
    }
    if (r != 0u) {
      switch (r) {
        case 2u: { s1 = 1u; fuel = fuel + 3u; r = 0u; break; }
        default: { break; }
      }
    }
    while (true) {
      switch (s1) {
        case 1u: {
          fuel = fuel - 3u;
          if (wb_spent(fuel)) { w = 0x40000002u; break; }
          if (l0 == 0u) { s1 = 1u; continue; }
          fuel = fuel - 3u;
          t1 = (l0 * 3u);
          break;
        }
        default: { break; }
      }
      break;
    }
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
static WbR_i wf_0_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0) {
  uint w = 0u;
  uint s1 = 0u;
  uint t1 = 0u;
  do {
    do {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
      s1 = 1u;
    } while (false);
    if (w != 0u) { break; }
    while (true) {
      switch (s1) {
        case 1u: {
          fuel = fuel - 3u;
          if (wb_spent(fuel)) { w = 0x40000002u; break; }
          if (l0 == 0u) { s1 = 1u; continue; }
          fuel = fuel - 3u;
          t1 = (l0 * 3u);
          break;
        }
        default: { break; }
      }
      break;
    }
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
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint s1 = 0u;
  uint l2 = 0u;
  uint l3 = 0u;
  uint t4 = 0u;
  uint t7 = 0u;
  uint t8 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get(F, 3u);
    l3 = wb_get(F, 4u);
  }
  do {
    if (r <= 1u) {
      do {
        if (r == 0u) {
          if (wb_spent(fuel)) { w = 0x40000001u; break; }
        }
        if (r == 1u) { r = 0u; }
        s1 = 1u;
      } while (false);
      if (w != 0u) { break; }
    }
    if (r != 0u) {
      switch (r) {
        case 2u: { s1 = 1u; fuel = fuel + 4u; r = 0u; break; }
        case 3u: { s1 = 1u; break; }
        default: { break; }
      }
    }
    while (true) {
      switch (s1) {
        case 1u: {
          if (r == 0u) {
            fuel = fuel - 4u;
            if (wb_group_is_low(fuel, low)) { w = 0x40000002u; break; }
            if (l2 >= l0) { s1 = 7u; continue; }
            fuel = fuel - 4u;
            t7 = (l2 & 1u);
            if (!(t7 != 0u)) { s1 = 2u; continue; }
            fuel = fuel - 5u;
          }
          if (room < 5u) { w = wb_exhausted(L, 0x9800004fu); break; }
          WbR_i c0 = r == 0u ? wf_0_1(L, f + 5u, room - 5u, low, fuel, l2) : wf_0(L, f + 5u, room - 5u, low, fuel, r, l2);
          r = 0u;
          fuel = c0.fuel;
          if (c0.w != 0u) { w = wb_unwind(c0.w, 3u); break; }
          t8 = c0.r0;
          l3 = (l3 + t8);
          s1 = 4u; continue;
        }
        case 2u: {
          fuel = fuel - 4u;
          if (!(l2 == 12u)) { s1 = 3u; continue; }
          fuel = fuel - 1u;
          s1 = 7u; continue;
        }
        case 3u: {
          fuel = fuel - 4u;
          w = wb_i32_div_u_check(l1, l2);
          if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x80000063u; break; }
          l1 = wb_i32_div_u(l1, l2);
          s1 = 4u; continue;
        }
        case 4u: {
          fuel = fuel - 4u;
          w = wb_i32_div_u_check(l1, 5u);
          if (w != 0u) { w = (w << WB_WHY_TRAP_SHIFT) | 0x8000006fu; break; }
          switch (wb_i32_rem_u(l1, 5u)) {
            case 1u: { s1 = 6u; continue; }
            case 0u: { s1 = 5u; continue; }
            default: { s1 = 1u; continue; }
          }
          break;
        }
        case 5u: {
          fuel = fuel - 4u;
          l3 = (l3 + 1u);
          s1 = 6u; continue;
        }
        case 6u: {
          fuel = fuel - 5u;
          l2 = (l2 + 1u);
          s1 = 1u; continue;
        }
        case 7u: {
          fuel = fuel - 1u;
          t4 = l3;
          break;
        }
        default: { break; }
      }
      break;
    }
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, l2);
      wb_put(F, 4u, l3);
    }
  }
  R.fuel = fuel;
  R.r0 = t4;
  return R;
}
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 1u: {
      if (A.room < 8u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000036u), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 8u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
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
