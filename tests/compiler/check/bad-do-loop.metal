#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  do {  // expect: a do loop that is not a block
    x = x - 1u;
  } while (x != 0u);
  return x;
}
