#include <metal_stdlib>
using namespace metal;
static uint wb_read(device uint *from) { return *from; }
static uint wb_f() {
  uint x = 1u;
  return wb_read(&x);  // expect: no matching function
}
