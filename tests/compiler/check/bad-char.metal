#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  char c = x;  // expect: a signed type below 32 bits
  return c == 1 ? 1u : 0u;
}
