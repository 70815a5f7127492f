#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x, uint y) {
  return x / y;  // expect: a division outside the runtime
}
