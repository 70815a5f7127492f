#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 1u;
constant uint WB_GLOBALS_AT = 37u;
constant uint WB_GLOBALS_SIZE = 3u;
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
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
constant uint we_0[2] = {
  2u,3u,
};
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_2(wb_lane L, uint fuel, uint l0);
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_ wf_4(wb_lane L, uint fuel);
static WbR_ wf_5(wb_lane L, uint fuel);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t2 = 0u;
  wb_mem M1 = wb_memory_at(L, 1u);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 4u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    r = 0u;
    uint g2 = wb_memory_grow_at(L, 1u, 39u, 4u, l0);
    if (g2 == WB_GROW_LEAVES) { w = 0x40000002u; break; }
    t2 = g2;
    fuel = fuel - (t2 != 4294967295u ? l0 : 0u);
    uint t7 = wb_get(L, 39u);
    t1 = (t2 + t7);
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
  uint t4 = 0u;
  uint t5 = 0u;
  uint t6 = 0u;
  wb_mem M1 = wb_memory_at(L, 1u);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t4 = wb_get(F, 2u);
    t5 = wb_get(F, 3u);
    t6 = wb_get(F, 4u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 6u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      if (wb_memory_fill_outside(wb_bytes_of(wb_get(L, 39u)), 0u, l0)) { w = 0x8800005fu; break; }
      t4 = 0u;
      t5 = 7u;
      t6 = l0;
      fuel = fuel - (((t6 < 4096u ? t6 : 4096u) + 15u) >> 4u);
    }
    do {
      while (true) {
        if (r == 0u) {
          uint t12 = (t6 < 4096u ? t6 : 4096u);
          wb_memory_fill_chunk(M1, t4, t5, t12);
          t4 = (t4 + t12);
          t6 = (t6 - t12);
          if (t6 == 0u) { w = 2u; break; }
          fuel = fuel - (((t6 < 4096u ? t6 : 4096u) + 15u) >> 4u);
          if (wb_spent(fuel)) { w = 0x40000002u; break; }
        }
        if (r == 2u) { r = 0u; }
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    if (wb_outside(wb_bytes_of(wb_get(L, 39u)), l0, 17ul)) { w = 0x88000064u; break; }
    uint t20 = wb_i32_load8_u_alone(M1, l0, 16ul);
    t1 = t20;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, t4);
      wb_put(F, 3u, t5);
      wb_put(F, 4u, t6);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_2(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  wb_mem M = wb_memory(L);
  do {
    fuel = fuel - 6u;
    uint t2 = wb_get(L, 37u);
    wb_put(L, 37u, (t2 + 1u));
    if (wb_beyond(l0, 65519u)) { w = 0x8800007fu; break; }
    uint t5 = wb_i32_load8_u_alone(M, l0, 16ul);
    t1 = t5;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  uint t2 = 0u;
  uint t4 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t2 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 8u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r <= 2u) {
      if (room < 5u) { w = wb_exhausted(L, 0x98000087u); break; }
      WbR_i c0 = wf_0(L, f + 3u, room - 5u, low, fuel, r, l0);
      r = 0u;
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
      t2 = c0.r0;
    }
    if (r == 0u) {
    }
    if (room < 6u) { w = wb_exhausted(L, 0x9800008bu); break; }
    WbR_i c1 = wf_1(L, f + 3u, room - 6u, low, fuel, r, 2u);
    r = 0u;
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind(c1.w, 3u); break; }
    t4 = c1.r0;
    WbR_i c2 = wf_2(L, fuel, 3u);
    fuel = c2.fuel;
    if (c2.w != 0u) { w = wb_unwind(c2.w, 0u); break; }
    uint t6 = c2.r0;
    t1 = (t2 + (t4 + t6));
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, t2);
    }
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_ wf_4(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  return R;
}
static WbR_ wf_5(wb_lane L, uint fuel) {
  uint w = 0u;
  do {
    if (wb_outside((ulong)4u, 1u, (ulong)2u)) { w = 0x9c00006au; break; }
    uint t5 = wb_get(L, 38u);
    if (wb_outside((ulong)(t5 != 0u ? 0u : 2u), 0u, (ulong)2u)) { w = 0x9c00006au; break; }
    wb_table_init_chunk(L, 40u, 1u, we_0, 0u, 2u);
    wb_put(L, 38u, 1u);
  } while (false);
  WbR_ R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 5u);
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
      if (A.room < 5u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800004eu), 0u);
        break;
      }
      WbR_i R = wf_0(L, f, A.room - 5u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 1u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000058u), 1u);
        break;
      }
      WbR_i R = wf_1(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 3u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000084u), 3u);
        break;
      }
      WbR_i R = wf_3(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 4u: {
      WbR_ R = wf_4(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    case 5u: {
      WbR_ R = wf_5(L, fuel);
      E.w = R.w;
      E.fuel = R.fuel;
      break;
    }
    default: { break; }
  }
  return E;
}
