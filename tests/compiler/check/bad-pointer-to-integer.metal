#include <metal_stdlib>
using namespace metal;
static ulong wb_f(device uint *p) {
  return (ulong)p;  // expect: a cast between a pointer and an integer
}
