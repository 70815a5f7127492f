#include <metal_stdlib>
using namespace metal;
static uint wb_g(uint x) { return x; }
static uint wb_f(uint x) {
  uint (*p)(uint) = wb_g;  // expect: pointer
  return p(x);
}
