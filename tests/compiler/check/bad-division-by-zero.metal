#include <metal_stdlib>
using namespace metal;
static ulong wb_1(ulong x) {
  return x / 0ul;  // expect: a division by 0
}
