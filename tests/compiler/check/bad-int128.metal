#include <metal_stdlib>
using namespace metal;
static ulong wb_f(ulong x) {
  return (ulong)((__int128)x * x >> 64u);  // expect: __int128
}
