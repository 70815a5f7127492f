#pragma once

// The runtime text and the preludes, embedded at build time, by name. The emitter joins the texts;
// devices and the checker give the preludes to their compilers under the name `metal_stdlib`.

#include <span>
#include <string>
#include <string_view>

#include "compiler/base/digest.h"

namespace wb {

// A file of compiler/runtime: "head.metal", "layout_contiguous.metal", "layout_interleaved.metal",
// "lanes.metal", "memory.metal", "memories.metal", "tables.metal", "ints.metal", "calls.metal", or
// one of the lists below. Another name stops the process.
std::string_view RuntimeText(std::string_view name);

// The files that give f32 and f64 their meaning, in the order in which a text holds them (after
// "ints.metal"): those that compute in the device's IEEE units, those for devices without double
// that flush subnormals, or the latter where f32 may be flushed. All define the same functions.
std::span<const std::string_view> NativeFloatParts();
std::span<const std::string_view> MetalFloatParts();
std::span<const std::string_view> Fast32FloatParts();

// The files of the vector operators, in their order: a text without a v128 leaves them out.
std::span<const std::string_view> VectorTexts();

// The files that follow the module's functions, in their order: the outer loop and the kernel.
std::span<const std::string_view> KernelTexts();

// A file of compiler/prelude: "host/metal_stdlib", "host/vectors", "cuda/metal_stdlib",
// "cuda/epilogue.cu", "cuda/board.h", "cuda/resident.cu", "check/metal_stdlib". Another name stops
// the process.
std::string_view PreludeText(std::string_view name);

// What follows the kernel text for NVRTC: the entry `wb_entry`, or `wb_resident`, a kernel that
// stays on the GPU.
std::string CudaEpilogue(bool resident);

// The numbers of compiler/abi as kernel text: one `constant uint WB_NAME = 3u;` a line. Traps are
// WB_TRAP_NAME, ends WB_END_NAME, all others WB_NAME.
std::string ConstantsText();

// What a launch is given, as kernel text: `struct WbParams` with the fields of abi::Params.
std::string ParamsText();

// Over all of the above: part of what names a kernel.
Digest RuntimeDigest();

}  // namespace wb
