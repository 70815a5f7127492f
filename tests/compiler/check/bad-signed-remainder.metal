#include <metal_stdlib>
using namespace metal;
static int wb_1(int x, int y) {
  return y > 0 ? x % y : 0;  // expect: a signed remainder
}
