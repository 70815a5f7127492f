#include <metal_stdlib>
using namespace metal;
static bool wb_spent(uint fuel) { return as_type<int>(fuel) < 0; }
static uint wf_1(uint x) {
  while (true) {  // expect: does not check its fuel
    while (true) {
      x = x - 1u;
      if (wb_spent(x)) {
        break;
      }
    }
  }
  return x;
}
