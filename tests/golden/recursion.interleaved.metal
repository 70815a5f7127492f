#line 1 "wasmburst/constants"
constant uint WB_STRIDE = 32u;
constant uint WB_GLOBALS_AT = 37u;
constant uint WB_GLOBALS_SIZE = 0u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
constant uint WB_RECURSIVE = 1u;
constant uint WB_PRIMITIVES = 0u;
constant uint WB_COLLECTIVES = 0u;
constant uint WB_LOCKSTEP = 1u;
#line 1 "module"
struct WbR_d {
  uint w;
  uint fuel;
  wb_f64 r0;
};
struct WbR_di {
  uint w;
  uint fuel;
  wb_f64 r0;
  uint r1;
};
struct WbR_i {
  uint w;
  uint fuel;
  uint r0;
};
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_di wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, wb_f64 l1);
static WbR_di wf_1_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, wb_f64 l1);
static WbR_di wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, wb_f64 l1);
static WbR_di wf_2_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, wb_f64 l1);
static WbR_d wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_d wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0);
static WbR_i wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint s1 = 0u;
  uint t1 = 0u;
  uint t3 = 0u;
  uint t4 = 0u;
  uint t6 = 0u;
  uint t7 = 0u;
  uint t9 = 0u;
  uint t10 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t7 = wb_get(F, 2u);
  }
  uint b = f;
  uint why = 0u;
  uint h = 0u;
  uint x0 = 0u;
  uint x7 = 0u;
  uint h_2 = 0u;
  uint x0_2 = 0u;
  uint x7_2 = 0u;
  uint h_3 = 0u;
  uint x0_3 = 0u;
  uint x7_3 = 0u;
  do {
    s1 = 1u;
    if (r != 0u) {
      switch (r) {
        case 1u: { s1 = 1u; fuel = fuel + 4u; r = 0u; break; }
        case 2u: { s1 = 3u; t1 = wb_get(L, 34u); r = 0u; break; }
        case 3u: { s1 = 4u; t1 = wb_get(L, 34u); r = 0u; break; }
        default: { break; }
      }
    }
    while (true) {
      if (s1 == 1u) {
        do {
          fuel = fuel - 4u;
          if (wb_spent(fuel)) { s1 = 8u; break; }
          t3 = (uint)(l0 < 2u);
          if (!(t3 != 0u)) { s1 = 2u; break; }
          fuel = fuel - 1u;
          t4 = l0;
          s1 = 5u; break;
        } while (false);
      }
      s1 = wb_hidden_state(s1);
      if (s1 == 5u) {
        do {
          t1 = t4;
          if (f == b) { s1 = 6u; break; }
          f = f - 6u;
          room = room + 6u;
          if (h == 0u) {
            wb_lane F = wb_frame(L, f);
            h = wb_get(F, 0u);
            l0 = wb_get(F, 1u);
            t7 = wb_get(F, 2u);
          } else {
            l0 = x0;
            t7 = x7;
          }
          s1 = 3u;
          if (h == 3u) { s1 = 4u; }
          h = h_2;
          x0 = x0_2;
          x7 = x7_2;
          h_2 = h_3;
          x0_2 = x0_3;
          x7_2 = x7_3;
          h_3 = 0u;
        } while (false);
      }
      s1 = wb_hidden_state(s1);
      if (s1 == 4u) {
        do {
          t10 = t1;
          t4 = (t7 + t10);
          s1 = 5u;
        } while (false);
      }
      s1 = wb_hidden_state(s1);
      if (s1 == 3u) {
        do {
          t7 = t1;
          t9 = (l0 - 2u);
          if (room < 6u) { s1 = 10u; break; }
          {
            uint p0 = t9;
            if (h_3 != 0u) {
              wb_lane F = wb_frame(L, f - 18u);
              wb_put(F, 0u, h_3);
              wb_put(F, 2u, x7_3);
              wb_put(F, 1u, x0_3);
            }
            h_3 = h_2;
            x0_3 = x0_2;
            x7_3 = x7_2;
            h_2 = h;
            x0_2 = x0;
            x7_2 = x7;
            h = 3u;
            x0 = l0;
            x7 = t7;
            l0 = p0;
            f = f + 6u;
            room = room - 6u;
            s1 = 1u; break;
          }
        } while (false);
      }
      s1 = wb_hidden_state(s1);
      if (s1 == 2u) {
        do {
          fuel = fuel - 9u;
          t6 = (l0 - 1u);
          if (room < 6u) { s1 = 9u; break; }
          {
            uint p0 = t6;
            if (h_3 != 0u) {
              wb_lane F = wb_frame(L, f - 18u);
              wb_put(F, 0u, h_3);
              wb_put(F, 2u, x7_3);
              wb_put(F, 1u, x0_3);
            }
            h_3 = h_2;
            x0_3 = x0_2;
            x7_3 = x7_2;
            h_2 = h;
            x0_2 = x0;
            x7_2 = x7;
            h = 2u;
            x0 = l0;
            x7 = t7;
            l0 = p0;
            f = f + 6u;
            room = room - 6u;
            s1 = 1u; break;
          }
        } while (false);
      }
      s1 = wb_hidden_state(s1);
      if (s1 >= 6u) { break; }
    }
    switch (s1) {
      case 8u: { w = 0x40000001u; break; }
      case 9u: { w = wb_exhausted(L, 0x9800004du); break; }
      case 10u: { w = wb_exhausted(L, 0x98000054u); break; }
      default: { break; }
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
      wb_put(F, 2u, t7);
    }
    if (h != 0u) {
      wb_lane F = wb_frame(L, f - 6u);
      wb_put(F, 0u, h);
      wb_put(F, 2u, x7);
      wb_put(F, 1u, x0);
    }
    if (h_2 != 0u) {
      wb_lane F = wb_frame(L, f - 12u);
      wb_put(F, 0u, h_2);
      wb_put(F, 2u, x7_2);
      wb_put(F, 1u, x0_2);
    }
    if (h_3 != 0u) {
      wb_lane F = wb_frame(L, f - 18u);
      wb_put(F, 0u, h_3);
      wb_put(F, 2u, x7_3);
      wb_put(F, 1u, x0_3);
    }
    R.w = wb_unwind_self(L, R.w, b, f, room, 0u, 6u, 6u, 0u);
  }
  R.fuel = fuel;
  R.r0 = t1;
  return R;
}
static WbR_di wf_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, wb_f64 l1) {
  uint w = 0u;
  wb_f64 t2 = wb_f64_const(0x0ul);
  uint t3 = 0u;
  uint t4 = 0u;
  wb_f64 t5 = wb_f64_const(0x0ul);
  uint t6 = 0u;
  uint t9 = 0u;
  wb_f64 t10 = wb_f64_const(0x0ul);
  uint t11 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get_f64(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      t4 = (uint)(l0 == 0u);
    }
    if (r == 0u ? t4 != 0u : r <= 1u) {
      fuel = fuel - 2u;
      t5 = l1;
      t6 = 1u;
    } else {
      if (r == 0u) {
        fuel = fuel - 5u;
        t9 = (l0 - 1u);
      }
      WbR_di c0;
      if (r != 0u) {
        c0.w = WB_RETURNED;
        c0.fuel = fuel;
        c0.r0 = wb_get_f64(L, 34u);
        c0.r1 = wb_get(L, 36u);
        r = 0u;
      } else {
        if (room < 7u) { w = wb_exhausted(L, 0x9800006cu); break; }
        c0 = wf_2_1(L, f + 7u, room - 7u, low, fuel, t9, l1);
      }
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind_root(L, c0.w, f + 4u, 2u, room, 2u); break; }
      t10 = c0.r0;
      t11 = c0.r1;
      t5 = t10;
      t6 = t11;
    }
    t2 = t5;
    t3 = t6;
  } while (false);
  WbR_di R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, l1);
    }
  }
  R.fuel = fuel;
  R.r0 = t2;
  R.r1 = t3;
  return R;
}
static WbR_di wf_1_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, wb_f64 l1) {
  uint w = 0u;
  wb_f64 t2 = wb_f64_const(0x0ul);
  uint t3 = 0u;
  uint t4 = 0u;
  wb_f64 t5 = wb_f64_const(0x0ul);
  uint t6 = 0u;
  uint t9 = 0u;
  wb_f64 t10 = wb_f64_const(0x0ul);
  uint t11 = 0u;
  do {
    fuel = fuel - 3u;
    if (wb_spent(fuel)) { w = 0x40000001u; break; }
    t4 = (uint)(l0 == 0u);
    if (t4 != 0u) {
      fuel = fuel - 2u;
      t5 = l1;
      t6 = 1u;
    } else {
      fuel = fuel - 5u;
      t9 = (l0 - 1u);
      WbR_di c0;
      if (room < 7u) { w = wb_exhausted(L, 0x9800006cu); break; }
      c0 = wf_2_1(L, f + 7u, room - 7u, low, fuel, t9, l1);
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind_root(L, c0.w, f + 4u, 2u, room, 2u); break; }
      t10 = c0.r0;
      t11 = c0.r1;
      t5 = t10;
      t6 = t11;
    }
    t2 = t5;
    t3 = t6;
  } while (false);
  WbR_di R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 1u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, l1);
    }
  }
  R.fuel = fuel;
  R.r0 = t2;
  R.r1 = t3;
  return R;
}
static WbR_di wf_2(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, wb_f64 l1) {
  uint w = 0u;
  uint l2 = 0u;
  wb_f64 t3 = wb_f64_const(0x0ul);
  uint t4 = 0u;
  uint t13 = 0u;
  wb_f64 t14 = wb_f64_const(0x0ul);
  uint t15 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get_f64(F, 2u);
    l2 = wb_get(F, 4u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 0u) {
      if (l0 == 0u) {
        fuel = fuel - 2u;
        t3 = l1;
        t4 = 0u;
        break;
      }
    }
    if (r <= 2u) {
      if (r == 2u) { fuel = fuel + 11u; r = 0u; }
      while (true) {
        fuel = fuel - 11u;
        if (wb_spent(fuel)) { w = 0x40000002u; break; }
        l1 = wb_f64_canon(wb_f64_add(l1, wb_f64_const(0x3fe0000000000000ul)));
        l2 = (l2 + 1u);
        if (l2 < l0) { continue; }
        break;
      }
      if (w != 0u) { break; }
    }
    if (r == 0u) {
      fuel = fuel - 5u;
      t13 = (l0 - 1u);
    }
    WbR_di c0;
    if (r != 0u) {
      c0.w = WB_RETURNED;
      c0.fuel = fuel;
      c0.r0 = wb_get_f64(L, 34u);
      c0.r1 = wb_get(L, 36u);
      r = 0u;
    } else {
      if (room < 6u) { w = wb_exhausted(L, 0x980000a3u); break; }
      c0 = wf_1_1(L, f + 8u, room - 6u, low, fuel, t13, l1);
    }
    fuel = c0.fuel;
    if (c0.w != 0u) { w = wb_unwind_root(L, c0.w, f + 5u, 1u, room, 3u); break; }
    t14 = c0.r0;
    t15 = c0.r1;
    t3 = t14;
    t4 = t15;
  } while (false);
  WbR_di R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, l1);
      wb_put(F, 4u, l2);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  R.r1 = t4;
  return R;
}
static WbR_di wf_2_1(wb_lane L, uint f, uint room, uint low, uint fuel, uint l0, wb_f64 l1) {
  uint w = 0u;
  uint l2 = 0u;
  wb_f64 t3 = wb_f64_const(0x0ul);
  uint t4 = 0u;
  uint t13 = 0u;
  wb_f64 t14 = wb_f64_const(0x0ul);
  uint t15 = 0u;
  do {
    fuel = fuel - 3u;
    if (wb_spent(fuel)) { w = 0x40000001u; break; }
    if (l0 == 0u) {
      fuel = fuel - 2u;
      t3 = l1;
      t4 = 0u;
      break;
    }
    while (true) {
      fuel = fuel - 11u;
      if (wb_spent(fuel)) { w = 0x40000002u; break; }
      l1 = wb_f64_canon(wb_f64_add(l1, wb_f64_const(0x3fe0000000000000ul)));
      l2 = (l2 + 1u);
      if (l2 < l0) { continue; }
      break;
    }
    if (w != 0u) { break; }
    fuel = fuel - 5u;
    t13 = (l0 - 1u);
    if (room < 6u) { w = wb_exhausted(L, 0x980000a3u); break; }
    wb_put(L, 34u, t13);
    wb_put_f64(L, 35u, l1);
    w = wb_wait(L, f + 5u, 1u, room, 3u); break;
    t14 = wb_get_f64(L, 34u);
    t15 = wb_get(L, 36u);
    t3 = t14;
    t4 = t15;
  } while (false);
  WbR_di R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 2u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, l1);
      wb_put(F, 4u, l2);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  R.r1 = t4;
  return R;
}
static WbR_d wf_3(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  uint l1 = 0u;
  wb_f64 l2 = wb_f64_const(0x0ul);
  wb_f64 t3 = wb_f64_const(0x0ul);
  wb_f64 t4 = wb_f64_const(0x0ul);
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    l1 = wb_get(F, 2u);
    l2 = wb_get_f64(F, 3u);
  }
  do {
    if (r == 0u) {
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r == 2u) { fuel = fuel + 11u; r = 0u; }
    while (true) {
      if (r == 0u) {
        fuel = fuel - 11u;
        if (wb_group_is_low(fuel, low)) { w = 0x40000002u; break; }
      }
      WbR_di c0;
      if (r != 0u) {
        c0.w = WB_RETURNED;
        c0.fuel = fuel;
        c0.r0 = wb_get_f64(L, 34u);
        c0.r1 = wb_get(L, 36u);
        r = 0u;
      } else {
        if (room < 6u) { w = wb_exhausted(L, 0x980000b2u); break; }
        c0 = wf_1_1(L, f + 8u, room - 6u, low, fuel, l1, l2);
      }
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind_root(L, c0.w, f + 5u, 1u, room, 3u); break; }
      t4 = c0.r0;
      l2 = t4;
      l1 = (l1 + 1u);
      if (l1 < l0) { continue; }
      break;
    }
    if (w != 0u) { break; }
    fuel = fuel - 1u;
    t3 = l2;
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 3u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put(F, 2u, l1);
      wb_put_f64(F, 3u, l2);
    }
  }
  R.fuel = fuel;
  R.r0 = t3;
  return R;
}
static WbR_d wf_4(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0) {
  uint w = 0u;
  wb_f64 t1 = wb_f64_const(0x0ul);
  wb_f64 t2 = wb_f64_const(0x0ul);
  uint t3 = 0u;
  if (r != 0u) {
    wb_lane F = wb_frame(L, f);
    r = wb_get(F, 0u);
    l0 = wb_get(F, 1u);
    t2 = wb_get_f64(F, 2u);
  }
  do {
    if (r == 0u) {
      fuel = fuel - 6u;
      if (wb_spent(fuel)) { w = 0x40000001u; break; }
    }
    if (r == 1u) { r = 0u; }
    if (r <= 2u) {
      if (room < 7u) { w = wb_exhausted(L, 0x980000cbu); break; }
      WbR_d c0 = wf_3(L, f + 4u, room - 7u, low, fuel, r, l0);
      r = 0u;
      fuel = c0.fuel;
      if (c0.w != 0u) { w = wb_unwind(c0.w, 2u); break; }
      t2 = c0.r0;
    }
    WbR_i c1;
    if (r != 0u) {
      c1.w = WB_RETURNED;
      c1.fuel = fuel;
      c1.r0 = wb_get(L, 34u);
      r = 0u;
    } else {
      if (room < 6u) { w = wb_exhausted(L, 0x980000cfu); break; }
      c1 = wf_0(L, f + 7u, room - 6u, low, fuel, 0u, l0);
    }
    fuel = c1.fuel;
    if (c1.w != 0u) { w = wb_unwind_root(L, c1.w, f + 4u, 0u, room, 3u); break; }
    t3 = c1.r0;
    t1 = wb_f64_canon(wb_f64_add(t2, wb_f64_convert_i32_u(t3)));
  } while (false);
  WbR_d R;
  R.w = WB_RETURNED;
  if (w >= WB_WHY_ENDS) {
    R.w = wb_end(L, w, 4u);
    if (wb_keeps_frame(R.w)) {
      wb_lane F = wb_frame(L, f);
      wb_put(F, 0u, w & WB_WHY_SAFEPOINT);
      wb_put(F, 1u, l0);
      wb_put_f64(F, 2u, t2);
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
    case 0u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800003du), 0u);
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
    case 1u: {
      if (A.room < 6u) {
        E.w = wb_end(L, wb_exhausted(L, 0x9800005au), 1u);
        break;
      }
      WbR_di R = wf_1(L, f, A.room - 6u, low, fuel, resume, wb_get(L, 34u), wb_get_f64(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, 34u, R.r0);
        wb_put(L, 36u, R.r1);
      }
      break;
    }
    case 2u: {
      if (A.room < 7u) {
        E.w = wb_end(L, wb_exhausted(L, 0x98000071u), 2u);
        break;
      }
      WbR_di R = wf_2(L, f, A.room - 7u, low, fuel, resume, wb_get(L, 34u), wb_get_f64(L, 35u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, 34u, R.r0);
        wb_put(L, 36u, R.r1);
      }
      break;
    }
    case 4u: {
      if (A.room < 5u) {
        E.w = wb_end(L, wb_exhausted(L, 0x980000c8u), 4u);
        break;
      }
      WbR_d R = wf_4(L, f, A.room - 5u, low, fuel, resume, wb_get(L, 34u));
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
