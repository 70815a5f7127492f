#include <metal_stdlib>
using namespace metal;
static uint wb_1(uint x) {
  return x % 3u;  // expect: dividend is not wb_opaque
}
