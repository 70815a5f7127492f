#include <metal_stdlib>
using namespace metal;
struct WbA {
  uint a;
};
struct WbB : WbA {  // expect: a base class
  uint b;
};
