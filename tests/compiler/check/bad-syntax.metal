#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) { return x }  // expect: expected ';'
