#include <metal_stdlib>
using namespace metal;
kernel void wb_main(device uint *p [[buffer(0)]]) { p[0] = 1u; }
// expect-text: a kernel without `#pragma METAL fp contract(off)`
