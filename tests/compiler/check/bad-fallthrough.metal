#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  switch (x) {
    case 0u: {
      x = 1u;
    }
    case 1u: {  // expect: fall-through
      x = x + 2u;
      break;
    }
    default: {
      break;
    }
  }
  return x;
}
