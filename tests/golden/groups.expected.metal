#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 42u;
constant uint WB_GLOBALS_SIZE = 3u;
constant uint WB_MEMORY_AT = 3072u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 0u;
constant uint WB_PRIMITIVES = 1u;
constant uint WB_COLLECTIVES = 1u;
constant uint WB_GROUP_AT = 42u;
constant uint WB_GROUP_MEMORY_AT = 45u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_ {
  uint w;
  uint fuel;
};
struct WbR_d {
  uint w;
  uint fuel;
  wb_f64 r0;
};
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_d wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, wb_f64 l0);
static WbR_ wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r);
static WbR_d wf_2(wb_lane L, uint fuel, uint l0);
static WbR_ wf_3(wb_lane L, uint fuel, uint l0, ulong l1);
static WbR_i wf_4(wb_lane L, uint fuel, uint l0, uint l1);
static WbR_i wf_5(wb_lane L, uint fuel, uint l0, uint l1, uint l2);
static WbR_d wf_6(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_d wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, wb_f64 l0) {
  uint w = 0u;
  wb_f64 t1 = wb_f64_const(0x0ul);
  uint t2 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      t2 = (wb_together(fuel) ? 1u : 0u);
    }
    if (r == 0u ? t2 != 0u : r <= 0u) {
      ulong t3 = wb_i64_reinterpret_f64(l0);
      ulong t4 = wb_collect_together(L, 769u, (ulong)t3, 0u);
      t1 = wb_f64_reinterpret_i64(t4);
    } else {
      if (r == 0u) {
        wb_put(L, 34u, 769u);
        wb_put_f64(L, 35u, l0);
        if (wb_asks(L, 11u)) { w = 0x40000001u; break; }
      }
      if (r == 1u) { r = 0u; }
      wb_f64 t7 = wb_get_f64(L, 40u);
      t1 = t7;
    }
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_ wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r) {
  uint w = 0u;
  uint t0 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      t0 = (wb_together(fuel) ? 1u : 0u);
    }
    if (r == 0u ? t0 != 0u : r <= 0u) {
      wb_collect_together(L, 14u, 0ul, 0u);
    } else {
      if (r == 0u) {
        wb_put(L, 34u, 14u);
        if (wb_asks(L, 11u)) { w = 0x40000001u; break; }
      }
      if (r == 1u) { r = 0u; }
    }
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
    }
  }
  R.fuel = fuel;
  return R;
}
static WbR_d wf_2(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  wb_f64 t9 = wb_f64_const(0x0ul);
  do {
    uint t3 = wb_i32_rotr(l0, 3u);
    if (wb_outside((ulong)1024u, t3, (ulong)1u)) { w = 0x88000000u; break; }
    uint t7 = wb_i32_shl(t3, 1u);
    ulong t8 = wb_group_load64(L, t7);
    t9 = wb_f64_reinterpret_i64(t8);
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
  }
  R.fuel = fuel;
  R.r0 = t9;
  return R;
}
static WbR_ wf_3(wb_lane L, uint fuel, uint l0, ulong l1) {
  uint w = 0u;
  do {
    uint t3 = wb_i32_rotr(l0, 3u);
    if (wb_outside((ulong)1024u, t3, (ulong)1u)) { w = 0x88000000u; break; }
    uint t7 = wb_i32_shl(t3, 1u);
    wb_group_store64(L, t7, l1);
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
  }
  R.fuel = fuel;
  return R;
}
static WbR_i wf_4(wb_lane L, uint fuel, uint l0, uint l1) {
  uint w = 0u;
  uint t7 = 0u;
  do {
    uint t4 = wb_i32_rotr(l0, 2u);
    if (wb_outside((ulong)2048u, t4, (ulong)1u)) { w = 0x88000000u; break; }
    t7 = wb_group_change(L, 2u, t4, l1);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 4u);
  }
  R.fuel = fuel;
  R.r0 = t7;
  return R;
}
static WbR_i wf_5(wb_lane L, uint fuel, uint l0, uint l1, uint l2) {
  uint w = 0u;
  uint t8 = 0u;
  do {
    uint t5 = wb_i32_rotr(l0, 2u);
    if (wb_outside((ulong)2048u, t5, (ulong)1u)) { w = 0x88000000u; break; }
    t8 = wb_group_compare(L, t5, l1, l2);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 5u);
  }
  R.fuel = fuel;
  R.r0 = t8;
  return R;
}
static WbR_d wf_6(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  wb_f64 t1 = wb_f64_const(0x0ul);
  wb_f64 t11 = wb_f64_const(0x0ul);
  wb_f64 t12 = wb_f64_const(0x0ul);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 15u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      WbR_ c0 = wf_3(L, fuel, wb_i32_shl(l0, 3u), 7ul);
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
      WbR_i c1 = wf_4(L, fuel, 4096u, l0);
      fuel = c1.fuel;
      if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
      uint t7 = c1.r0;
      WbR_i c2 = wf_5(L, fuel, 4096u, t7, 1u);
      fuel = c2.fuel;
      if (c2.w != 0u) { w = wb_unwind(c2.w, 0u); break; }
    }
    if (r <= 2u) {
      WbR_ c3 = wf_1(L, f + 2u, room - 0u, low, fuel, r);
      r = 0u;
      fuel = c3.fuel;
      if (c3.w != 0u) { w = wb_unwind(c3.w, 2u); break; }
    }
    if (r == 0u) {
      WbR_d c4 = wf_2(L, fuel, 8u);
      fuel = c4.fuel;
      if (c4.w != 0u) { w = wb_unwind(c4.w, 0u); break; }
      t11 = c4.r0;
    }
    WbR_d c5 = wf_0(L, f + 2u, room - 0u, low, fuel, r, t11);
    r = 0u;
    fuel = c5.fuel;
    if (c5.w != 0u) { w = wb_unwind(c5.w, 3u); break; }
    t12 = c5.r0;
    t1 = t12;
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 6u);
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
static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 6u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000e1u), 6u);
        break;
      }
      WbR_d R = wf_6(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, 34u, R.r0);
      }
      break;
    }
    default: { break; }
  }
  return E;
}
