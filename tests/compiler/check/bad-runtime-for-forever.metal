#include <metal_stdlib>
using namespace metal;
static uint wb_1(uint x) {
  for (;;) {  // expect: a loop of the runtime without a condition
    x = x + 1u;
    if (x == 9u) {
      break;
    }
  }
  return x;
}
