#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x, uint n) {
  return x << n;  // expect: a shift by an amount without a mask
}
