#include <metal_stdlib>
using namespace metal;
static float wb_f(float x) {
  return x * 1.5;  // expect: a floating literal without f
}
