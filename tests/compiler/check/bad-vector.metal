#include <metal_stdlib>
using namespace metal;
typedef uint wb_pair __attribute__((ext_vector_type(2)));
static uint wb_f(uint x) {
  wb_pair p = {x, x};  // expect: a vector other than uint4 and ulong2
  return p.x;
}
