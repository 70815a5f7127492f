#include <metal_stdlib>
using namespace metal;
static uint wb_f() {
  static uint c = 0u;  // expect: a static variable in a function
  c = c + 1u;
  return c;
}
