#include <metal_stdlib>
using namespace metal;
struct WbA {
  uint a;
};
static bool operator==(thread const WbA &x, thread const WbA &y) {  // expect: an overloaded operator
  return x.a == y.a;
}
