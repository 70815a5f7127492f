#include <metal_stdlib>
using namespace metal;
static void wb_set(device uint &to) { to = 1u; }
static void wb_f() {
  uint x = 0u;
  wb_set(x);  // expect: no matching function
}
