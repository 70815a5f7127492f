#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  return x + 1;  // expect: an unsigned literal without u or ul
}
