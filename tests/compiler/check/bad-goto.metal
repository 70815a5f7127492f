#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  if (x != 0u) {
    goto done;  // expect: goto
  }
  x = 2u;
done:
  return x;
}
