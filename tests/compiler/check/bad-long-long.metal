#include <metal_stdlib>
using namespace metal;
static uint wb_f(long long x) { return (uint)x; }  // expect: long long
