#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint x) {
  switch (x) {
    case 0u: x = 1u; break;  // expect: a switch case without braces
    default: { break; }
  }
  return x;
}
