#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x) {
  while (true) {  // expect: does not check its fuel
    x = x + 1u;
    if (x == 9u) {
      break;
    }
  }
  return x;
}
