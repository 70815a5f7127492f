#include <metal_stdlib>
using namespace metal;
union WbA {  // expect: a union
  uint a;
  float b;
};
