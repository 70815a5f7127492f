#include <metal_stdlib>
using namespace metal;
static ulong wb_1(ulong x, ulong y) {
  return x / y;  // expect: a division without a test of its operands
}
