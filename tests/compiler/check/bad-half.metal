#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  half h = x;  // expect: half
  return h > 1.0f ? 1u : 0u;
}
