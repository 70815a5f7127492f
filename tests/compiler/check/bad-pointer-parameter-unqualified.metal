#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint *p) { return *p; }  // expect: a pointer without an address space
