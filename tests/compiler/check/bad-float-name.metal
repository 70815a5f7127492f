#include <metal_stdlib>
using namespace metal;
static uint wf_1(float x) { return as_type<uint>(x); }  // expect: float outside the runtime
