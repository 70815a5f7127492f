#include <metal_stdlib>
using namespace metal;
static uint wb_f(ulong p) {
  return *(device uint *)p;  // expect: a cast between a pointer and an integer
}
