#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x) {
  for (ulong k1 = 0ul; k1 != 48ul; k1 = k1 + 1ul) {  // expect: does not check its fuel
    x = x + 3u;
  }
  return x;
}
