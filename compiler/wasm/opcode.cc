#include "compiler/wasm/opcode.h"

#include <array>
#include <iterator>
#include <optional>

#include "compiler/base/check.h"

namespace wb {
namespace {

constexpr uint32_t kPrefixedCodes = 0xfc00;

constexpr ValueType kVoid [[maybe_unused]] = ValueType::kVoid;

constexpr OpcodeFacts kFacts[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  {text,                                                                         \
   "wb_" #token,                                                                 \
   spelling,                                                                     \
   check,                                                                        \
   code,                                                                         \
   OpcodeClass::kNumeric,                                                        \
   OpcodeForm::k##form,                                                          \
   ValueType::k##result,                                                         \
   ValueType::k##a,                                                              \
   ValueType::k##b,                                                              \
   0,                                                                            \
   1},
#define WB_LOAD(name, code, token, text, type, bytes) \
  {text,                                              \
   "wb_" #token,                                      \
   "",                                                \
   "",                                                \
   code,                                              \
   OpcodeClass::kLoad,                                \
   OpcodeForm::kCall,                                 \
   ValueType::k##type,                                \
   ValueType::kI32,                                   \
   ValueType::kVoid,                                  \
   bytes,                                             \
   1},
#define WB_STORE(name, code, token, text, type, bytes) \
  {text,                                               \
   "wb_" #token,                                       \
   "",                                                 \
   "",                                                 \
   code,                                               \
   OpcodeClass::kStore,                                \
   OpcodeForm::kCall,                                  \
   ValueType::kVoid,                                   \
   ValueType::kI32,                                    \
   ValueType::k##type,                                 \
   bytes,                                              \
   1},
#define WB_OTHER(name, code, text, fuel) \
  {text,                                 \
   "",                                   \
   "",                                   \
   "",                                   \
   code,                                 \
   OpcodeClass::kOther,                  \
   OpcodeForm::kCall,                    \
   ValueType::kVoid,                     \
   ValueType::kVoid,                     \
   ValueType::kVoid,                     \
   0,                                    \
   fuel},
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
  // Two pages: codes of one byte, and those behind 0xfc. A lookup per operator of a module.
  static const std::array<std::optional<Opcode>, 512> kByCode = [] {
    std::array<std::optional<Opcode>, 512> table;
    for (size_t i = 0; i < std::size(kFacts); ++i) {
      uint16_t code_of_row = kFacts[i].code;
      size_t page = code_of_row < kPrefixedCodes ? 0 : 256;
      table[page + (code_of_row & 0xff)] = static_cast<Opcode>(i);
    }
    return table;
  }();
  size_t page = code < 256 ? 0 : 256;
  if (page != 0 && (code & ~0xffu) != kPrefixedCodes) return nullptr;
  const std::optional<Opcode>& found = kByCode[page + (code & 0xff)];
  return found.has_value() ? &*found : nullptr;
}

}  // namespace wb
