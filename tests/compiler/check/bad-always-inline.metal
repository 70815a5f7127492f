#include <metal_stdlib>
using namespace metal;
static __attribute__((always_inline)) uint wf_1(uint x) {  // expect: an attribute other than
  return x;
}
