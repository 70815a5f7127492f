#include <metal_stdlib>
using namespace metal;
static uint wb_f(uint n) {
  auto l = [](uint x) { return x + 1u; };  // expect: a lambda
  return l(n);
}
