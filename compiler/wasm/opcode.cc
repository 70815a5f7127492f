#include "compiler/wasm/opcode.h"

#include <array>
#include <iterator>
#include <optional>

#include "compiler/base/check.h"

namespace wb {
namespace {

// Pages of 256 codes: those of one byte, those behind 0xfc, and two of those behind 0xfd.
constexpr size_t kPages = 4;
constexpr size_t kNoPage = kPages;

constexpr size_t PageOf(uint32_t code) {
  switch (code >> 8) {
    case 0: return 0;
    case 0xfc: return 1;
    case 0xfd: return 2;
    case 0xfd1: return 3;
    default: return kNoPage;
  }
}

constexpr OpcodeImmediate kNoImmediate = OpcodeImmediate::kNone;
constexpr OpcodeImmediate kLaneImmediate = OpcodeImmediate::kLane;

// A row of a class that is written as a call of `wb_TOKEN`.
constexpr OpcodeFacts CallRow(std::string_view text, std::string_view function, uint32_t code,
                              OpcodeClass klass, std::array<ValueType, 4> types, uint32_t bytes,
                              OpcodeImmediate immediate) {
  OpcodeFacts facts;
  facts.text = text;
  facts.function = function;
  facts.code = code;
  facts.klass = klass;
  facts.result = types[0];
  facts.a = types[1];
  facts.b = types[2];
  facts.c = types[3];
  facts.immediate = immediate;
  facts.bytes = static_cast<uint8_t>(bytes);
  return facts;
}

constexpr OpcodeFacts NumericRow(OpcodeFacts facts, OpcodeForm form, std::string_view spelling,
                                 std::string_view check) {
  facts.form = form;
  facts.spelling = spelling;
  facts.check = check;
  return facts;
}

constexpr OpcodeFacts OtherRow(std::string_view text, uint32_t code, uint32_t fuel) {
  OpcodeFacts facts = CallRow(text, "", code, OpcodeClass::kOther, {}, 0, kNoImmediate);
  facts.fuel = static_cast<uint8_t>(fuel);
  return facts;
}

#define WB_TYPES(result, a, b, c) \
  { ValueType::k##result, ValueType::k##a, ValueType::k##b, ValueType::k##c }

constexpr OpcodeFacts kFacts[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  NumericRow(CallRow(text, "wb_" #token, code, OpcodeClass::kNumeric,            \
                     WB_TYPES(result, a, b, Void), 0, kNoImmediate),             \
             OpcodeForm::k##form, spelling, check),
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate)                  \
  CallRow(text, "wb_" #token, code, OpcodeClass::kVector, WB_TYPES(result, a, b, c), 0, \
          OpcodeImmediate::k##immediate),
#define WB_LOAD(name, code, token, text, type, bytes)                                           \
  CallRow(text, "wb_" #token, code, OpcodeClass::kLoad, WB_TYPES(type, I32, Void, Void), bytes, \
          kNoImmediate),
#define WB_STORE(name, code, token, text, type, bytes)                                           \
  CallRow(text, "wb_" #token, code, OpcodeClass::kStore, WB_TYPES(Void, I32, type, Void), bytes, \
          kNoImmediate),
#define WB_VECTOR_LOAD(name, code, token, text, bytes)                                          \
  CallRow(text, "wb_" #token, code, OpcodeClass::kLoad, WB_TYPES(V128, I32, Void, Void), bytes, \
          kNoImmediate),
#define WB_VECTOR_STORE(name, code, token, text, bytes)                                          \
  CallRow(text, "wb_" #token, code, OpcodeClass::kStore, WB_TYPES(Void, I32, V128, Void), bytes, \
          kNoImmediate),
#define WB_LANE_LOAD(name, code, token, text, bytes)                                           \
  CallRow(text, "wb_" #token, code, OpcodeClass::kLoad, WB_TYPES(V128, I32, V128, I32), bytes, \
          kLaneImmediate),
#define WB_LANE_STORE(name, code, token, text, bytes)                                           \
  CallRow(text, "wb_" #token, code, OpcodeClass::kStore, WB_TYPES(Void, I32, V128, I32), bytes, \
          kLaneImmediate),
#define WB_OTHER(name, code, text, fuel) OtherRow(text, code, fuel),
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};

constexpr std::string_view kTypeNames[] = {"void", "i32",  "i64",     "f32",
                                           "f64",  "v128", "funcref", "externref"};
constexpr uint32_t kTypeWords[] = {0, 1, 2, 1, 2, 4, 1, 1};

}  // namespace

std::string_view TypeName(ValueType type) { return kTypeNames[static_cast<size_t>(type)]; }
uint32_t TypeWords(ValueType type) { return kTypeWords[static_cast<size_t>(type)]; }

const OpcodeFacts& FactsOf(Opcode opcode) {
  WB_CHECK(static_cast<size_t>(opcode) < std::size(kFacts));
  return kFacts[static_cast<size_t>(opcode)];
}

const Opcode* FindOpcode(uint32_t code) {
  // A lookup per operator of a module.
  static const std::array<std::optional<Opcode>, 256 * kPages> kByCode = [] {
    std::array<std::optional<Opcode>, 256 * kPages> table;
    for (size_t i = 0; i < std::size(kFacts); ++i) {
      const uint32_t code_of_row = kFacts[i].code;
      table[256 * PageOf(code_of_row) + (code_of_row & 0xff)] = static_cast<Opcode>(i);
    }
    return table;
  }();
  const size_t page = PageOf(code);
  if (page == kNoPage) return nullptr;
  const std::optional<Opcode>& found = kByCode[256 * page + (code & 0xff)];
  return found.has_value() ? &*found : nullptr;
}

}  // namespace wb
