#include "compiler/emit/text/names.h"

#include <cstdio>

#include "compiler/base/check.h"
#include "compiler/wasm/module.h"

namespace wb {
namespace {

struct TypeRow {
  std::string_view text;
  std::string_view get;
  std::string_view put;
  char letter;
};

// A reference is a word like any other.
const TypeRow& RowOf(ValueType type) {
  static constexpr TypeRow kRows[] = {
      {"void", "", "", 'n'},
      {"uint", "wb_get", "wb_put", 'i'},
      {"ulong", "wb_get64", "wb_put64", 'l'},
      {"wb_f32", "wb_get_f32", "wb_put_f32", 'f'},
      {"wb_f64", "wb_get_f64", "wb_put_f64", 'd'},
      {"wb_v128", "wb_get_v128", "wb_put_v128", 'v'},
  };
  if (IsReference(type)) type = ValueType::kI32;
  WB_CHECK(static_cast<size_t>(type) < std::size(kRows));
  return kRows[static_cast<size_t>(type)];
}

// See wb_hidden in compiler/runtime/ints.metal: one of the two words that NVIDIA's compiler mixes
// up.
constexpr uint32_t kOneAsF32 = 0x3f800000;
constexpr uint32_t kMinusOne = 0xffffffff;

std::string WordText(uint32_t word) {
  return word == kOneAsF32 ? "wb_hidden(" + Hex(word) + ")" : Hex(word);
}

std::string LongText(uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
  if (low != kOneAsF32 && high != kOneAsF32) return std::to_string(bits) + "ul";
  return "((ulong)" + WordText(low) + " | (ulong)" + WordText(high) + " << 32u)";
}

std::string FloatText(uint32_t bits) {
  const std::string word = bits == kMinusOne ? "wb_hidden(" + Hex(bits) + ")" : Hex(bits);
  return "wb_f32_const(" + word + ")";
}

}  // namespace

std::string_view TypeText(ValueType type) { return RowOf(type).text; }

std::string LiteralText(ValueType type, uint64_t bits) {
  switch (type) {
    case ValueType::kFuncRef:
    case ValueType::kExternRef:
    case ValueType::kI32:
      if (bits == kOneAsF32) return WordText(kOneAsF32);
      return std::to_string(static_cast<uint32_t>(bits)) + "u";
    case ValueType::kI64: return LongText(bits);
    case ValueType::kF32: return FloatText(static_cast<uint32_t>(bits));
    case ValueType::kV128: WB_CHECK(bits == 0); return VectorText({});
    default: break;
  }
  WB_CHECK(type == ValueType::kF64);
  char text[48];
  std::snprintf(text, sizeof text, "wb_f64_const(0x%llxul)", static_cast<unsigned long long>(bits));
  return text;
}

std::string VectorText(const V128& words) {
  std::string text = "wb_v128_const(";
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : ", ") + WordText(words[i]);
  return text + ")";
}

std::string Hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%xu", value);
  return text;
}

std::string FunctionText(uint32_t index, uint32_t copy) {
  const std::string name = "wf_" + std::to_string(index);
  return copy == 0 ? name : name + "_" + std::to_string(copy);
}

std::string DataText(uint32_t segment) { return "wd_" + std::to_string(segment); }

std::string ElementsText(uint32_t segment) { return "we_" + std::to_string(segment); }

std::string LoopDataText(uint32_t address, uint32_t words) {
  return "wl_" + std::to_string(address) + "_" + std::to_string(words);
}

std::string TableText(uint32_t table) { return "wt_" + std::to_string(table); }

std::string ReturnText(const std::vector<ValueType>& results) {
  std::string text = "WbR_";
  for (ValueType type : results) text += RowOf(type).letter;
  return text;
}

std::string GetText(ValueType type, const std::string& word, std::string_view from) {
  return std::string(RowOf(type).get).append("(").append(from) + ", " + word + ")";
}

std::string PutText(ValueType type, const std::string& word, const std::string& value,
                    std::string_view to) {
  return std::string(RowOf(type).put).append("(").append(to) + ", " + word + ", " + value + ");";
}

static_assert(Module::kMaxBytes <= size_t{abi::WHY_TRAP_OFFSET} + 1, "every offset fits");

std::string PayText(const std::string& amount) { return "fuel = fuel - " + amount + ";"; }

uint32_t TrapWhy(Trap trap, uint32_t offset) {
  return abi::WHY_TRAP | static_cast<uint32_t>(trap) << abi::WHY_TRAP_SHIFT | offset;
}

std::string ExhaustedText(uint32_t offset) {
  return "wb_exhausted(L, " + Hex(TrapWhy(Trap::kStackExhausted, offset)) + ")";
}

std::string CanonText(ValueType type, const std::string& value) {
  return std::string(TypeText(type)) + "_canon(" + value + ")";
}

}  // namespace wb
