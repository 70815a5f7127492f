#include "compiler/runtime/runtime.h"

#include "compiler/abi/lane.h"
#include "compiler/base/check.h"
#include "compiler/runtime/embedded.h"

namespace wb {
namespace {

std::string_view Find(std::string_view folder, std::string_view name) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.folder == folder && file.name == name) return file.text;
  }
  WB_CHECK(!"an embedded file of this name");
  return {};
}

struct NamedNumber {
  std::string_view prefix;
  std::string_view name;
  uint32_t value;
};

constexpr NamedNumber kNumbers[] = {
#define WB_ABI(name, value, meaning) {"WB_", #name, value},
#include "compiler/abi/lane.def"
#undef WB_ABI
#define WB_TRAP(name, upper, number, words) {"WB_TRAP_", #upper, number},
#include "compiler/abi/trap.def"
#undef WB_TRAP
#define WB_END(name, upper, number) {"WB_END_", #upper, number},
#include "compiler/abi/end.def"
#undef WB_END
};

constexpr std::string_view kParams[] = {
#define WB_PARAM(name, initial, meaning) #name,
#include "compiler/abi/params.def"
#undef WB_PARAM
};

constexpr std::string_view kVectorTexts[] = {
    "simd_lanes.metal", "simd_bytes.metal",   "simd_halves.metal",
    "simd_words.metal", "simd_widths.metal",  "simd_f32.metal",
    "simd_f64.metal",   "simd_relaxed.metal", "simd_memory.metal",
};

constexpr std::string_view kKernelTexts[] = {"outer_loop.metal",   "instance.metal",
                                             "lane_program.metal", "turn.metal",
                                             "seats.metal",        "entry.metal"};

constexpr std::string_view kNativeFloats[] = {"floats_native.metal"};
constexpr std::string_view kMetalFloats[] = {
    "floats_metal.metal",       "floats_metal_convert.metal",  "floats_metal_f32.metal",
    "floats_metal_order.metal", "floats_metal_integral.metal", "floats_metal_to_int.metal",
    "soft_f64_add.metal",       "soft_f64_mul.metal",          "soft_f64_div.metal"};
constexpr std::string_view kFast32Floats[] = {
    "floats_metal.metal",       "floats_metal_convert.metal",  "floats_fast32.metal",
    "floats_metal_order.metal", "floats_metal_integral.metal", "floats_metal_to_int.metal",
    "soft_f64_add.metal",       "soft_f64_mul.metal",          "soft_f64_div.metal"};

}  // namespace

std::span<const std::string_view> VectorTexts() { return kVectorTexts; }
std::span<const std::string_view> KernelTexts() { return kKernelTexts; }
std::span<const std::string_view> NativeFloatParts() { return kNativeFloats; }
std::span<const std::string_view> MetalFloatParts() { return kMetalFloats; }
std::span<const std::string_view> Fast32FloatParts() { return kFast32Floats; }

std::string_view RuntimeText(std::string_view name) { return Find("runtime", name); }
std::string_view PreludeText(std::string_view name) { return Find("prelude", name); }

std::string CudaEpilogue(bool resident) {
  if (!resident) return std::string(PreludeText("cuda/epilogue.cu"));
  return "\n#define WB_BOARD_PARAMS WbParams\n" + std::string(PreludeText("cuda/board.h")) +
         std::string(PreludeText("cuda/resident.cu"));
}

std::string ConstantsText() {
  std::string text = "// ---- numbers that kernel and host agree on (compiler/abi).\n";
  for (const NamedNumber& number : kNumbers) {
    text.append("constant uint ").append(number.prefix).append(number.name);
    text.append(" = ").append(std::to_string(number.value)).append("u;\n");
  }
  return text + "\n";
}

std::string ParamsText() {
  std::string text =
      "// ---- what a launch is given (compiler/abi/params.def).\nstruct WbParams {\n";
  for (const std::string_view name : kParams) text.append("  uint ").append(name).append(";\n");
  return text + "};\n\n";
}

Digest RuntimeDigest() {
  DigestBuilder builder;
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    builder.Add(file.folder).Add(file.name).Add(file.text);
  }
  return builder.Add(ConstantsText()).Add(ParamsText()).Finish();
}

}  // namespace wb
