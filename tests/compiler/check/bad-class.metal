#include <metal_stdlib>
using namespace metal;
class WbA {  // expect: a class
 public:
  uint a;
};
