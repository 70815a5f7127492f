#include <metal_stdlib>
using namespace metal;
template <class T>
static T wb_f(T x) { return x; }  // expect: a template
static uint wb_g(uint x) { return wb_f(x); }
