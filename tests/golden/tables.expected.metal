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
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
struct WbR_l {
  uint w;
  uint fuel;
  ulong r0;
};
constant uint we_1[2] = {
  1u,2u,
};
constant uint wn[9] = {
  1u,2u,3u,4u,5u,6u,0u,0u,0u,
};
constant uint ws[7] = {
  0u,0u,0u,0u,0u,4u,0u,
};
static WbR_i wf_0(wb_lane L, uint fuel, uint l0);
static WbR_i wf_1(wb_lane L, uint fuel, uint l0);
static WbR_i wf_2(wb_lane L, uint fuel, uint l0);
static WbR_i wf_3(wb_lane L, uint fuel, uint l0);
static WbR_i wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_l wf_5(wb_lane L, uint fuel, ulong l0);
static WbR_i wf_6(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_l wf_7(wb_lane L, uint fuel, ulong l0, uint l1);
static WbR_i wf_8(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_9(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1);
static WbR_i wf_0(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 1u;
    t1 = l0;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_1(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 3u;
    t1 = (l0 + 1u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_2(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 3u;
    t1 = (l0 * 3u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_3(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  do {
    fuel = fuel - 3u;
    t1 = (l0 - 1u);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint t1 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 2u) { fuel = fuel + 2u; r = 0u; }
    while (true) {
      fuel = fuel - 2u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      if (l0 != 0u) { continue; }
      break;
    }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t1 = 5u;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 4u);
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
static WbR_l wf_5(wb_lane L, uint fuel, ulong l0) {
  uint w = 0u;
  ulong t1 = 0ul;
  do {
    fuel = fuel - 1u;
    t1 = l0;
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_i wf_6(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      if (l1 >= wb_get(L, 39u)) { w = 0xa00000acu; break; }
      uint e2 = wb_get(L, 40u + l1);
      if (e2 == 0u) { w = 0xa40000acu; break; }
      e2 = wn[e2 - 1u];
      if (e2 - 1u >= 5u) { w = 0xa80000acu; break; }
      t4 = e2;
      if (room < ws[t4]) { w = wb_exhausted(L, 0x980000acu); break; }
    }
    WbR_i c0 = wf_9(L, f + 3u, room - 0u, low, fuel, r, t4, l0);
    r = 0u;
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
    t3 = c0.r0;
    t2 = t3;
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 6u);
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
static WbR_l wf_7(wb_lane L, uint fuel, ulong l0, uint l1) {
  uint w = 0u;
  ulong t2 = 0ul;
  do {
    fuel = fuel - 3u;
    if (l1 >= wb_get(L, 39u)) { w = 0xa00000b6u; break; }
    uint e1 = wb_get(L, 40u + l1);
    if (e1 == 0u) { w = 0xa40000b6u; break; }
    e1 = wn[e1 - 1u];
    if (e1 - 6u >= 1u) { w = 0xa80000b6u; break; }
    WbR_l c0 = wf_5(L, fuel, l0);
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
    ulong t5 = c0.r0;
    t2 = t5;
  } while (false);
  WbR_l R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 7u);
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_8(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t18 = 0u;
  uint t19 = 0u;
  uint t20 = 0u;
  uint t63 = 0u;
  uint t64 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    t18 = wb_get(F, 3u);
    t19 = wb_get(F, 4u);
    t20 = wb_get(F, 5u);
    t63 = wb_get(F, 6u);
    t64 = wb_get(F, 7u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 29u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      uint t5 = wb_get(L, 39u);
      if (wb_outside((ulong)t5, l0, (ulong)1u)) { w = 0x9c0000c0u; break; }
      wb_put(L, 40u + l0, 6u);
      uint t8 = wb_get(L, 39u);
      if (wb_outside((ulong)t8, l0, (ulong)2u)) { w = 0x9c0000c8u; break; }
      uint t10 = wb_get(L, 38u);
      if (wb_outside((ulong)(t10 != 0u ? 0u : 2u), 0u, (ulong)2u)) { w = 0x9c0000c8u; break; }
      fuel = fuel - 2u;
      wb_table_init_chunk(L, 40u, l0, we_1, 0u, 2u);
      wb_put(L, 38u, 1u);
      uint t16 = wb_get(L, 39u);
      if (wb_outside((ulong)t16, 1u, (ulong)l0)) { w = 0x9c0000d5u; break; }
      uint t17 = wb_get(L, 39u);
      if (wb_outside((ulong)t17, 0u, (ulong)l0)) { w = 0x9c0000d5u; break; }
      t18 = 1u;
      t19 = 0u;
      t20 = l0;
      fuel = fuel - (t20 < 1024u ? t20 : 1024u);
    }
    if (r <= 2u) {
      do {
        while (true) {
          if (r == 0u) {
            uint t26 = (t20 < 1024u ? t20 : 1024u);
            wb_table_copy_chunk(L, 40u, t18, 40u, t19, t20);
            uint t29 = (t18 <= t19 ? t26 : 0u);
            t18 = (t18 + t29);
            t19 = (t19 + t29);
            t20 = (t20 - t26);
            if (t20 == 0u) { w = 2u; break; }
            fuel = fuel - (t20 < 1024u ? t20 : 1024u);
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
      if (wb_outside((ulong)4u, l0, (ulong)1u)) { w = 0x9c0000ddu; break; }
      wb_put(L, 140u + l0, l1);
      if (wb_outside((ulong)4u, 1u, (ulong)1u)) { w = 0x9c0000e1u; break; }
      uint t43 = wb_get(L, 140u + 1u);
      wb_put(L, 37u, t43);
      uint t45 = wb_get(L, 37u);
      if (wb_outside((ulong)4u, 0u, (ulong)4u)) { w = 0x9c0000ebu; break; }
      fuel = fuel - 4u;
      wb_table_fill_chunk(L, 140u, 0u, t45, 4u);
      uint t49 = wb_get(L, 39u);
      if (wb_outside((ulong)t49, l0, (ulong)1u)) { w = 0x9c0000f0u; break; }
      uint t50 = wb_get(L, 40u + l0);
      t18 = (uint)(t50 == 0u);
      uint t53 = wb_get(L, 39u);
      uint t56 = (uint)(l0 <= (100u - t53));
      t19 = (t56 != 0u ? t53 : 4294967295u);
      uint t60 = (t56 != 0u ? l0 : 0u);
      wb_put(L, 39u, (t53 + t60));
      t20 = t53;
      t63 = 0u;
      t64 = t60;
      fuel = fuel - (t64 < 1024u ? t64 : 1024u);
    }
    do {
      while (true) {
        if (r == 0u) {
          uint t70 = (t64 < 1024u ? t64 : 1024u);
          wb_table_fill_chunk(L, 40u, t20, t63, t70);
          t20 = (t20 + t70);
          t64 = (t64 - t70);
          if (t64 == 0u) { w = 2u; break; }
          fuel = fuel - (t64 < 1024u ? t64 : 1024u);
          if (wb_spent(fuel)) { w = 0x40000003u; break; }
        }
        if (r == 3u) { r = 0u; }
        continue;
      }
      if (w != 0u) { break; }
    } while (false);
    if (w == 2u) { w = 0u; }
    if (w != 0u) { break; }
    t2 = (t18 + t19);
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 8u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put(F, 3u, t18);
      wb_put(F, 4u, t19);
      wb_put(F, 5u, t20);
      wb_put(F, 6u, t63);
      wb_put(F, 7u, t64);
    }
  }
  R.fuel = fuel;
  R.r0 = t2;
  return R;
}
static WbR_i wf_9(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, uint l1) {
  uint w = 0u;
  uint t2 = 0u;
  uint t4 = 0u;
  uint t10 = 0u;
  uint t13 = 0u;
  uint t15 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
  }
  do {
    if (r == 0u) {
      t4 = (uint)(l0 < 3u);
    }
    if (r == 0u ? t4 != 0u : r <= 0u) {
      if (l0 < 2u) {
        WbR_i c0 = wf_0(L, fuel, l1);
        fuel = c0.fuel;
        if (c0.w != 0u) { w = wb_unwind(c0.w, 0u); break; }
        uint t7 = c0.r0;
        t2 = t7;
      } else {
        WbR_i c1 = wf_1(L, fuel, l1);
        fuel = c1.fuel;
        if (c1.w != 0u) { w = wb_unwind(c1.w, 0u); break; }
        uint t8 = c1.r0;
        t2 = t8;
      }
    } else {
      if (r == 0u) {
        t10 = (uint)(l0 < 4u);
      }
      if (r == 0u ? t10 != 0u : r <= 0u) {
        WbR_i c2 = wf_2(L, fuel, l1);
        fuel = c2.fuel;
        if (c2.w != 0u) { w = wb_unwind(c2.w, 0u); break; }
        uint t11 = c2.r0;
        t2 = t11;
      } else {
        if (r == 0u) {
          t13 = (uint)(l0 < 5u);
        }
        if (r == 0u ? t13 != 0u : r <= 0u) {
          WbR_i c3 = wf_3(L, fuel, l1);
          fuel = c3.fuel;
          if (c3.w != 0u) { w = wb_unwind(c3.w, 0u); break; }
          uint t14 = c3.r0;
          t2 = t14;
        } else {
          if (room < 4u) { w = wb_exhausted(L, 0x98000000u); break; }
          WbR_i c4 = wf_4(L, f + 1u, room - 4u, low, fuel, r, l1);
          r = 0u;
          fuel = c4.fuel;
          if (c4.w != 0u) { w = wb_unwind(c4.w, 1u); break; }
          t15 = c4.r0;
          t2 = t15;
        }
      }
    }
  } while (false);
  WbR_i R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 9u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
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
    case 6u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000a7u), 6u);
        break;
      }
      WbR_i R = wf_6(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, 34u, R.r0);
      }
      break;
    }
    case 7u: {
      WbR_l R = wf_7(L, fuel, wb_get64(L, 34u), wb_get(L, 36u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put64(L, 34u, R.r0);
      }
      break;
    }
    case 8u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000bbu), 8u);
        break;
      }
      WbR_i R = wf_8(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get(L, 35u));
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
