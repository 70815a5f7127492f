#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  uint y;
  if (x != 0u) {  // expect: uninitialized
    y = 1u;
  }
  return y;
}
