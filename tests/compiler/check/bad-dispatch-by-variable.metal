#include <metal_stdlib>
using namespace metal;
static bool wb_spent(uint fuel) { return as_type<int>(fuel) < 0; }
static uint wf_1(uint x) {
  uint s1 = 1u;
  while (true) {  // expect: does not check its fuel
    switch (s1) {
      case 1u: {
        s1 = x;
        continue;
      }
      case 2u: {
        if (wb_spent(x)) { break; }
        s1 = 1u;
        continue;
      }
      default: { break; }
    }
    break;
  }
  return x;
}
