#include <metal_stdlib>
using namespace metal;
struct WbA {
  uint *p;  // expect: a pointer without an address space
};
