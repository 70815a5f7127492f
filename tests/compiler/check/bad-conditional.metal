#include <metal_stdlib>
using namespace metal;
#ifdef WB_TWO  // expect: a preprocessor conditional
#endif
static uint wb_f(uint x) { return x; }
