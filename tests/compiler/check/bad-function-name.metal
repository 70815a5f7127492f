#include <metal_stdlib>
using namespace metal;
static uint helper(uint x) { return x; }  // expect: begins neither wb_ nor wf_
