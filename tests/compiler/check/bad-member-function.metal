#include <metal_stdlib>
using namespace metal;
struct WbA {
  uint a;
  uint wb_v() { return a; }  // expect: a member function
};
