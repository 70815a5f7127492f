#include <metal_stdlib>
using namespace metal;
static uint wb_1(float x) {
  return (uint)x;  // expect: without a test of its range
}
