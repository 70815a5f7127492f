#include <metal_stdlib>
using namespace metal;
static uint wb_read(thread uint *from) { return *from; }
static uint wb_f(device uint *p) {
  return wb_read(p);  // expect: no matching function
}
