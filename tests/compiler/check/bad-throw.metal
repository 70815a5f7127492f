#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  if (x != 0u) {
    throw 1;  // expect: exceptions
  }
  return x;
}
