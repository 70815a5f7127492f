#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint n) {
  uint a[n];  // expect: array size is not a constant expression
  a[0] = 1u;
  return a[0];
}
