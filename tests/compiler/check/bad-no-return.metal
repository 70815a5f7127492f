#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  if (x != 0u) {
    return 1u;
  }
}  // expect: does not return a value
