// ---- a module written out by hand, in the shape of emitted ones. wf_0(n, x): n rounds of
// arithmetic and memory on x, leaving at the loop's header; wf_1(x): bounded, divides by zero if x
// is zero.
struct WbI32 {
  uint w;
  uint fuel;
  uint r0;
};
struct WbF64 {
  uint w;
  uint fuel;
  wb_f64 r0;
};

static WbI32 wf_1(wb_lane L, uint fuel, uint l0) {
  uint w = 0u;
  uint t0 = 0u;
  do {
    fuel = fuel - 3u;
    w = wb_i32_div_u_check(1000u, l0);
    if (w != 0u) {
      w = (w << WB_WHY_TRAP_SHIFT) | WB_WHY_TRAP | 16u;
      break;
    }
    t0 = wb_i32_div_u(1000u, l0);
  } while (false);
  WbI32 R;
  R.w = WB_RETURNED;
  if (w != 0u) {
    R.w = wb_end(L, w, 1u);
  }
  R.fuel = fuel;
  R.r0 = t0;
  return R;
}

static WbF64 wf_0(wb_lane L, uint f, uint room, uint low, uint fuel, uint r, uint l0, wb_f64 l1) {
  uint w = 0u;
  wb_mem M = wb_memory(L);
  ulong mb = wb_memory_bytes(L);
  if (r != 0u) {
    r = wb_get(L, f);
    l0 = wb_get(L, f + 1u);
    l1 = wb_get_f64(L, f + 2u);
  }
  do {
    if (r == 1u) {
      fuel = fuel + 9u;
      r = 0u;
    }
    while (true) {
      fuel = fuel - 9u;
      if (wb_group_is_low(fuel, low)) {
        w = WB_WHY_LEFT | 1u;
        break;
      }
      if (l0 == 0u) {
        break;
      }
      WbI32 c0 = wf_1(L, fuel, l0 + room - room);
      fuel = c0.fuel;
      if (c0.w != 0u) {
        w = wb_unwind(c0.w, 0u);
        break;
      }
      if (wb_outside(mb, c0.r0, 13ul)) {
        w = WB_WHY_TRAP | (WB_TRAP_OUT_OF_BOUNDS_MEMORY << WB_WHY_TRAP_SHIFT) | 32u;
        break;
      }
      wb_f64_store(M, c0.r0, 5ul, wb_f64_canon(l1));
      l1 = wb_f64_add(wb_f64_mul(l1, wb_f64_const(0x3fe0000000000000ul)), wb_f64_load(M, c0.r0, 5ul));
      l1 = wb_f64_add(l1, wb_f64_promote_f32(wb_f32_sqrt(wb_f32_convert_i32_u(l0))));
      l0 = l0 - 1u;
    }
  } while (false);
  WbF64 R;
  R.w = WB_RETURNED;
  if (w != 0u) {
    R.w = wb_end(L, w, 0u);
    if (wb_keeps_frame(R.w)) {
      wb_put(L, f, w & 0xfffffffu);
      wb_put(L, f + 1u, l0);
      wb_put_f64(L, f + 2u, l1);
    }
  }
  R.fuel = fuel;
  R.r0 = wb_f64_canon(l1);
  return R;
}

static WbEnd wb_run(wb_lane L, WbRoot A, uint f, uint low, uint fuel, uint resume) {
  WbEnd E;
  E.w = WB_RETURNED;
  E.fuel = fuel;
  switch (A.function) {
    case 0u: {
      WbF64 R = wf_0(L, f, A.room, low, fuel, resume, wb_get(L, WB_LANE_STAGE),
                     wb_get_f64(L, WB_LANE_STAGE + 1u));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put_f64(L, WB_LANE_STAGE, R.r0);
      }
      break;
    }
    case 1u: {
      WbI32 R = wf_1(L, fuel, wb_get(L, WB_LANE_STAGE));
      E.w = R.w;
      E.fuel = R.fuel;
      if (R.w == WB_RETURNED) {
        wb_put(L, WB_LANE_STAGE, R.r0);
      }
      break;
    }
    default: {
      break;
    }
  }
  return E;
}

