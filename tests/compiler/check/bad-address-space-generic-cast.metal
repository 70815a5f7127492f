#include <metal_stdlib>
using namespace metal;
static bool wb_f(device uint *p, thread uint *q) {
  return (const void *)p == (const void *)q;  // expect: address space
}
