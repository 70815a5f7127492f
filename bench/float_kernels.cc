#include "bench/float_kernels.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "compiler/base/check.h"
#include "compiler/runtime/runtime.h"

namespace wb {
namespace {

constexpr FloatOperator kOperators[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  {Opcode::k##name, #token},
#define WB_LOAD(name, code, token, text, type, bytes)
#define WB_STORE(name, code, token, text, type, bytes)
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};
bool UsesFloats(Opcode opcode) {
  return IsFloat(FactsOf(opcode).result) || IsFloat(FactsOf(opcode).a);
}

constexpr TimedFloats kTimed[] = {
    {"f32_add", "wb_f32", "wb_f32_add(c, v)"},
    {"f32_mul", "wb_f32", "wb_f32_mul(c, v)"},
    {"f32_mul_add", "wb_f32", "wb_f32_mul_add(c, v, v)"},
    {"f32_div", "wb_f32", "wb_f32_div(c, v)"},
    {"f32_sqrt", "wb_f32", "wb_f32_sqrt(c)"},
    {"f64_add", "wb_f64", "wb_f64_add(c, v)"},
    {"f64_mul", "wb_f64", "wb_f64_mul(c, v)"},
    {"f64_mul_add", "wb_f64", "wb_f64_add(wb_f64_mul(c, v), v)"},
    {"f64_div", "wb_f64", "wb_f64_div(c, v)"},
    {"f64_sqrt", "wb_f64", "wb_f64_sqrt(c)"},
    {"f64_lt", "wb_f64", "wb_f64_lt(c, v) != 0u ? wb_f64_neg(c) : wb_f64_abs(v)"},
    {"f64_to_i32_and_back", "wb_f64", "wb_f64_convert_i32_s(wb_i32_trunc_sat_f64_s(c) ^ 1u)"},
};
std::string Bits(ValueType type) {
  return type == ValueType::kF32 || type == ValueType::kI32 ? "uint" : "ulong";
}
std::string Name(ValueType type) {
  if (type == ValueType::kF32) return "wb_f32";
  return type == ValueType::kF64 ? "wb_f64" : Bits(type);
}
std::string Operand(ValueType type, const char* name) {
  return "as_type<" + Name(type) + ">((" + Bits(type) + ")" + name + ")";
}

std::string VectorKernel(const FloatOperator& op) {
  const OpcodeFacts& facts = FactsOf(op.opcode);
  std::string call = std::string("wb_") + op.token + "(" + Operand(facts.a, "x");
  if (facts.b != ValueType::kVoid) call += ", " + Operand(facts.b, "y");
  return std::string("extern \"C\" __global__ void vector_") + op.token +
         "(const ulong* a, const ulong* b, ulong* r, uint n) {\n"
         "  uint i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  if (i >= n) return;\n  ulong x = a[i], y = b[i];\n  r[i] = (ulong)as_type<" +
         Bits(facts.result) + ">(" + call + "));\n}\n";
}

std::string TimedKernel(const TimedFloats& timed) {
  const std::string type = timed.type;
  const std::string bits = type == "wb_f32" ? "uint" : "ulong";
  std::string text = std::string("extern \"C\" __global__ void timed_") + timed.name +
                     "(ulong* values, ulong* cycles, uint rounds) {\n"
                     "  uint i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                     type + " c = as_type<" + type + ">((" + bits + ")values[2u * i]);\n  " + type +
                     " v = as_type<" + type + ">((" + bits +
                     ")values[2u * i + 1u]);\n"
                     "  ulong begin = clock64();\n#pragma unroll 1\n"
                     "  for (uint r = 0u; r < rounds; ++r) {\n";
  for (uint32_t i = 0; i < kStepsInRound; ++i) text += std::string("    c = ") + timed.step + ";\n";
  return text + "  }\n  cycles[i] = clock64() - begin;\n  values[2u * i] = (ulong)as_type<" + bits +
         ">(c);\n}\n";
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  WB_CHECK(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

std::span<const FloatOperator> FloatOperators() {
  static const std::vector<FloatOperator> floats = [] {
    std::vector<FloatOperator> found;
    std::copy_if(std::begin(kOperators), std::end(kOperators), std::back_inserter(found),
                 [](const FloatOperator& op) { return UsesFloats(op.opcode); });
    return found;
  }();
  return floats;
}

std::span<const TimedFloats> AllTimedFloats() { return kTimed; }

std::string FloatKernels(const FloatVariant& variant) {
  std::string text = std::string(RuntimeText("head.metal")) + ConstantsText() +
                     "constant uint WB_GLOBALS_AT = 20u;\nconstant uint WB_FRAMES_AT = 24u;\n"
                     "constant uint WB_MEMORY_AT = 1024u;\nconstant uint WB_WINDOWED = 0u;\n";
  for (const char* part :
       {"pointers_native.metal", "layout/layout_lanes.metal", "layout/layout_interleaved.metal",
        "layout/layout_words.metal", "lanes.metal", "calls.metal", "ints.metal"}) {
    text += RuntimeText(part);
  }
  for (std::string_view part : variant.parts()) text += RuntimeText(part);
  text += RuntimeText("memory.metal");
  if (variant.calls) {
    for (const char* name : {"wb_f64_add(", "wb_f64_mul("}) {
      text = Replaced(text, std::string("static inline wb_f64 ") + name,
                      std::string("static __attribute__((noinline)) wb_f64 ") + name);
    }
  }
  for (const FloatOperator& op : FloatOperators()) text += VectorKernel(op);
  for (const TimedFloats& timed : kTimed) text += TimedKernel(timed);
  return text;
}

}  // namespace wb
