#include <metal_stdlib>
using namespace metal;
static uint wb_f(float a) {
  double d = a;  // expect: double
  return (uint)d;
}
