#include <metal_stdlib>
using namespace metal;
static int wb_1(int x) {
  return x << 3u;  // expect: a signed product or left shift
}
