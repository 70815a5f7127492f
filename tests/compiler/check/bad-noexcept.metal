#include <metal_stdlib>
using namespace metal;
static uint wb_g(uint x) { return x; }
static bool wb_f(uint x) {
  return noexcept(wb_g(x));  // expect: noexcept
}
