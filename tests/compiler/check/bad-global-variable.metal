#include <metal_stdlib>
using namespace metal;
uint wb_global = 3u;  // expect: a variable at file scope that is not constant
static uint wb_f() { return wb_global; }
