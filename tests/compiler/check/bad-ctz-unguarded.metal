#include <metal_stdlib>
using namespace metal;
static uint wb_1(uint x) {
  return metal::ctz(x);  // expect: metal::ctz without a test for 0
}
