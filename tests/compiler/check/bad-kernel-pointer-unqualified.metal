#include <metal_stdlib>
using namespace metal;
kernel void wb_main(uint *p [[buffer(0)]]) { p[0] = 1u; }  // expect: pointer arguments to kernel functions must reside
