#include <metal_stdlib>
using namespace metal;
#define WB_TWO 2u  // expect: a macro definition
static uint wb_f(uint x) { return x + WB_TWO; }
