#include <metal_stdlib>
using namespace metal;
static bool wb_f(uint x) {
  return &typeid(x) != nullptr;  // expect: typeid
}
