// WasmBurst kernel text: one WebAssembly module in the subset of the Metal Shading Language that
// every device compiles unchanged. What <metal_stdlib> means outside Metal: compiler/prelude.
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
#pragma METAL fp math_mode(safe)

