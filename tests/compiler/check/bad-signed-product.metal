#include <metal_stdlib>
using namespace metal;
static int wb_1(int x, int y) {
  return x * y;  // expect: a signed product or left shift
}
