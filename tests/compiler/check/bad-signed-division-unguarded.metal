#include <metal_stdlib>
using namespace metal;
static int wb_1(int x, int y) {
  return x / y;  // expect: a division without a test of its operands
}
