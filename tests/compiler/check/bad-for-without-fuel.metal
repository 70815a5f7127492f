#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x) {
  for (uint i = 0u; i < x; i += 1u) {  // expect: does not check its fuel
    x = x + i;
  }
  return x;
}
