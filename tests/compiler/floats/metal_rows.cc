#include "tests/compiler/floats/metal_rows.h"

#include <vector>

#include <metal_stdlib>

namespace wb {
namespace {
namespace text {

constant uint WB_GLOBALS_AT = 20u;
constant uint WB_FRAMES_AT = 24u;
constant uint WB_MEMORY_AT = 1024u;
constant uint WB_WINDOWED = 0u;
#define WB_AS_CPP_METAL_FLOATS
#include "compiler/runtime/as_cpp.inc"

}  // namespace text
#include "compiler/runtime/as_cpp_end.inc"

// The operand is all of a slot's bits, or its lower half.
template <typename R, typename A>
uint64_t Call(R (*function)(A), uint64_t a, uint64_t) {
  return function(static_cast<A>(a));
}
template <typename R, typename A, typename B>
uint64_t Call(R (*function)(A, B), uint64_t a, uint64_t b) {
  return function(static_cast<A>(a), static_cast<B>(b));
}

template <auto kFunction>
void Run(const uint64_t* a, const uint64_t* b, uint64_t* results, size_t count) {
  for (size_t i = 0; i < count; ++i) results[i] = Call(kFunction, a[i], b[i]);
}

RunRow TrapOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kI32TruncF32S: return &Run<&text::wb_i32_trunc_f32_s_check>;
    case Opcode::kI32TruncF32U: return &Run<&text::wb_i32_trunc_f32_u_check>;
    case Opcode::kI32TruncF64S: return &Run<&text::wb_i32_trunc_f64_s_check>;
    case Opcode::kI32TruncF64U: return &Run<&text::wb_i32_trunc_f64_u_check>;
    case Opcode::kI64TruncF32S: return &Run<&text::wb_i64_trunc_f32_s_check>;
    case Opcode::kI64TruncF32U: return &Run<&text::wb_i64_trunc_f32_u_check>;
    case Opcode::kI64TruncF64S: return &Run<&text::wb_i64_trunc_f64_s_check>;
    case Opcode::kI64TruncF64U: return &Run<&text::wb_i64_trunc_f64_u_check>;
    default: return nullptr;
  }
}

std::vector<MetalRow> FloatRows() {
  const std::pair<Opcode, RunRow> all[] = {
#define WB_NUMERIC(name, code, token, string, result, a, b, form, spelling, check) \
  {Opcode::k##name, &Run<&text::wb_##token>},
#define WB_LOAD(name, code, token, string, type, bytes)
#define WB_STORE(name, code, token, string, type, bytes)
#define WB_OTHER(name, code, string, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
  };
  std::vector<MetalRow> rows;
  for (const auto& [opcode, run] : all) {
    const OpcodeFacts& facts = FactsOf(opcode);
    if (!IsFloat(facts.result) && !IsFloat(facts.a)) continue;
    rows.push_back({opcode, run, TrapOf(opcode)});
  }
  return rows;
}

}  // namespace

void RunProductSum(ProductSum form, const uint32_t* a, const uint32_t* b, const uint32_t* c,
                   uint32_t* results, size_t count) {
  constexpr decltype(&text::wb_f32_mul_add) kForms[] = {
      &text::wb_f32_mul_add, &text::wb_f32_mul_sub, &text::wb_f32_sub_mul};
  const auto function = kForms[static_cast<size_t>(form)];
  for (size_t i = 0; i < count; ++i) results[i] = function(a[i], b[i], c[i]);
}

std::span<const MetalRow> MetalRows() {
  static const std::vector<MetalRow> rows = FloatRows();
  return rows;
}

}  // namespace wb
