#include <metal_stdlib>
using namespace metal;
static uint wb_f(double d) { return (uint)d; }  // expect: double
