#pragma once

// The runtime text and the preludes, embedded at build time. A kernel text is OpeningText, the
// module's own part and ClosingText; devices and the checker give the preludes to their compilers
// under the name `metal_stdlib`.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compiler/base/digest.h"
#include "compiler/runtime/form.h"

namespace wb {

// What stands before the module's own part: the runtime's files of this form, each behind a #line
// that names it, and after the first the numbers of compiler/abi and the module's own constants
// (lines of kernel text). It ends with a #line for the module's part.
std::string OpeningText(const RuntimeForm& form, std::string_view module_constants);

// What stands behind the module's own part: the outer loop and the kernel.
std::string ClosingText(KernelForm form);

// A text with the interleaved layout as EmitKernel makes it with the tiled one. Another text stays
// as it is.
std::string TiledText(std::string_view text);
// How many hot bytes it has (emit/plan/hot_bytes.h); 0: none.
uint32_t HotBytesIn(std::string_view text);
// The same with the hot layout, of a text that has some.
std::string HotText(std::string_view text);

// A kernel text up to its kernel, and behind it `wb_module_call`, by which a kernel that is
// compiled elsewhere calls it: for a C++ program that has the kernel in itself
// (prelude/host/epilogue), and for CudaKernelText (prelude/cuda/module_epilogue.cu). A text without
// a kernel stays as it is.
std::string TextWithoutKernel(std::string_view text);
std::string CudaTextWithoutKernel(std::string_view text);
// The form of the text's kernel. nullopt: it has no kernel.
std::optional<KernelForm> KernelFormOf(std::string_view text);

// The file that a compiler's message names for the module's own part.
inline constexpr std::string_view kModuleFile = "module";
// A line from which on a compiler counts the lines of `file` from `line`.
std::string LineText(std::string_view file, size_t line = 1);

// A file of compiler/runtime: one of parts.def. Another name stops the process.
std::string_view RuntimeText(std::string_view name);
// The same behind its #line, as a kernel text holds it.
std::string PartText(std::string_view name);

// The files of parts.def in its order: all of them; those of the vector operators, which a text
// without a v128 leaves out; and those that give f32 and f64 their meaning. The last are those that
// compute in the device's IEEE units, those for devices without double that flush subnormals, and
// the latter where f32 may be flushed. All three define the same functions.
std::span<const std::string_view> AllTexts();
std::span<const std::string_view> VectorTexts();
std::span<const std::string_view> NativeFloatParts();
std::span<const std::string_view> MetalFloatParts();
std::span<const std::string_view> Fast32FloatParts();

// A file of compiler/prelude: "host/metal_stdlib", "host/vectors", "host/epilogue",
// "cuda/metal_stdlib", "cuda/epilogue.cu", "cuda/board.h", "cuda/resident.cu", "cuda/reorder.cu",
// "cuda/module_call.cu", "cuda/module_constants.cu", "cuda/module_epilogue.cu",
// "cuda/group_constants.cu", "cuda/group_epilogue.cu",
// "check/metal_stdlib". Another name stops the process.
std::string_view PreludeText(std::string_view name);

// What follows the kernel text for NVRTC: the entry `wb_entry`, or `wb_resident`, a kernel that
// stays on the GPU.
std::string CudaEpilogue(bool resident);

// The kernel by itself, with its entry, for NVRTC. Linked with what CudaTextWithoutKernel gave of a
// text of this layout and form, it is that text's kernel. Only one is needed for all modules: it
// computes with no floats but those that instances give to collectives, which are native, and reads
// the module's constants from words that the module's part defines.
std::string CudaKernelText(MemoryLayout layout, KernelForm form, bool resident);

// The numbers of compiler/abi as kernel text: one `constant uint WB_NAME = 3u;` a line. Traps are
// WB_TRAP_NAME, ends WB_END_NAME, all others WB_NAME.
std::string ConstantsText();

// What a launch is given, as kernel text: `struct WbParams` with the fields of abi::Params.
std::string ParamsText();

// Over every embedded file, the order of the parts and the two texts above: part of what names a
// kernel.
Digest RuntimeDigest();

}  // namespace wb
