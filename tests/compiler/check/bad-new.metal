#include <metal_stdlib>
using namespace metal;
static uint wb_f() {
  thread uint *p = new uint(3u);  // expect: new
  return *p;
}
