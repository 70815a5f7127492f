#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  __asm__("");  // expect: asm
  return x;
}
