#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  return x << 40u;  // expect: a shift by the width or more
}
