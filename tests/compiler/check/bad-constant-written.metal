#include <metal_stdlib>
using namespace metal;
constant uint WB_T[2] = {1u, 2u};
static void wb_f() {
  WB_T[0] = 3u;  // expect: read-only variable is not assignable
}
