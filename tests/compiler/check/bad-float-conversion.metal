#include <metal_stdlib>
using namespace metal;
static wb_native_f32 wf_1(uint x) {
  return (wb_native_f32)x;  // expect: a float conversion outside the runtime
}
