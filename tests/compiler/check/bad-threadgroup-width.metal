#include <metal_stdlib>
using namespace metal;
// expect-text: max_total_threads_per_threadgroup
[[max_total_threads_per_threadgroup(32)]]
static uint wf_1(uint x) { return x; }
