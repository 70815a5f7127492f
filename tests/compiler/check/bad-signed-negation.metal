#include <metal_stdlib>
using namespace metal;
static uint wf_1(uint x) {
  return as_type<uint>(-as_type<int>(x));  // expect: signed arithmetic outside the runtime
}
