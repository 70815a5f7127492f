#include <metal_stdlib>
using namespace metal;
static uint wb_g(uint x);
static uint wb_f(uint x) { return x == 0u ? 1u : wb_g(x - 1u); }  // expect: recursion
static uint wb_g(uint x) { return wb_f(x); }
