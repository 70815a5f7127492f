#include <metal_stdlib>
using namespace metal;
thread_local uint wb_t;  // expect: thread_local
static uint wb_f() { return wb_t; }
