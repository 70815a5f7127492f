#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {  // expect: recursion
  return x == 0u ? 1u : x * wb_f(x - 1u);
}
