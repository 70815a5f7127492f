#include <metal_stdlib>
using namespace metal;
static inline bool wb_fuel_lasts(uint fuel, uint rounds) { return rounds <= fuel; }
static uint wf_1(uint fuel, uint n1) {
  if (wb_fuel_lasts(fuel, n1)) {
    for (ulong k1 = 0ul; k1 != (ulong)n1; k1 = k1 + 1ul) {  // expect: does not check its fuel
      n1 = n1 + 3u;
    }
  }
  return n1;
}
