#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  return clz(x);  // expect: a library function without metal::
}
