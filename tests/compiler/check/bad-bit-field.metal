#include <metal_stdlib>
using namespace metal;
struct WbA {
  uint a : 3;  // expect: bit-fields are not supported
};
