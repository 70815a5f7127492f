// What the subset allows, in one place.
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)

struct WbPair {
  uint a;
  device uint *p;
  uint reserved[3];
};
constant uint WB_TABLE[2] = {1u, 0x80000000u};
constant ulong WB_BIG = 0xfffffffffffffffful;

static inline bool wb_spent(uint fuel) { return as_type<int>(fuel) < 0; }
static inline uint wb_low(thread uint &x, ulong v) {
  x = (uint)v;
  return metal::clz(x) + WB_TABLE[1];
}
static inline wb_native_f64 wb_half(wb_native_f64 x) { return x * as_type<wb_native_f64>(0x3fe0000000000000ul); }

static uint wf_0(device uint *p, uint fuel, uint n) {
  uint w = 0u;
  do {
    while (true) {
      fuel = fuel - 3u;
      if (wb_spent(fuel)) {
        w = 0x40000001u;
        break;
      }
      if (n == 0u) {
        break;
      }
      switch (n & 3u) {
        case 0u: {
          p[n] = p[n] << (n & 31u);
          break;
        }
        case 1u:
        case 2u: {
          w = wb_low(n, WB_BIG);
          break;
        }
        default: {
          break;
        }
      }
      n = n - 1u;
    }
  } while (false);
  return w;
}

// The fuel lasts for all rounds.
static inline bool wb_fuel_lasts(uint fuel, uint rounds) { return rounds <= fuel; }
static inline ulong wb_rounds_that_last(uint fuel, uint rounds) {
  return (ulong)(rounds < fuel ? rounds : fuel);
}
static uint wf_2(uint fuel, uint n2) {
  uint x = 0u;
  if (n2 != 0u && wb_fuel_lasts(fuel, n2)) {
    #pragma unroll
    for (ulong k2 = 0ul; k2 != (ulong)n2; k2 = k2 + 1ul) {
      x = x + 3u;
      continue;
    }
  }
  if (n2 != 0u) {
    ulong k3 = 0ul;
    ulong m3 = wb_rounds_that_last(fuel, n2);
    for (k3 = 0ul; k3 != m3; k3 = k3 + 1ul) {
      x = x + 3u;
    }
  }
  return x;
}

// Going forward costs no look at the fuel; whoever goes back, or where to, looks.
static uint wf_1(uint fuel, uint n) {
  uint w = 0u;
  uint s1 = 1u;
  while (true) {
    switch (s1) {
      case 1u: {
        if (n == 3u) { s1 = 3u; continue; }
        s1 = 2u;
        continue;
      }
      case 2u: {
        fuel = fuel - 1u;
        if (wb_spent(fuel)) { w = 0x40000001u; break; }
        n = n - 1u;
        s1 = 3u;
        continue;
      }
      case 3u: {
        if (n != 0u) { s1 = 2u; continue; }
        break;
      }
      default: { break; }
    }
    break;
  }
  return w;
}

kernel void wb_main(device uint *p [[buffer(0)]], constant WbPair &P [[buffer(1)]],
                    uint gid [[thread_position_in_grid]]) {
  p[gid] = wf_0(p, P.a, gid);
}
