#include <metal_stdlib>
using namespace metal;
static uint wb_1(uint x, uint y) {
  return y == 0u ? 0u : x / y;  // expect: dividend is not wb_opaque
}
