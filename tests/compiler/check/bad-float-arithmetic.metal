#include <metal_stdlib>
using namespace metal;
static wb_native_f32 wf_1(wb_native_f32 x) {
  return x + x;  // expect: float arithmetic outside the runtime
}
