#include <metal_stdlib>
using namespace metal;
static uint wb_f(device uint *p) {
  return *(thread uint *)p;  // expect: address space
}
