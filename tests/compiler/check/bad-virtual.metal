#include <metal_stdlib>
using namespace metal;
struct WbA {
  virtual uint wb_v() { return 1u; }  // expect: virtual functions
};
