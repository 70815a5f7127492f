#pragma once

// The operators of WebAssembly as one enumeration, with the facts of opcode.def.

#include <cstdint>
#include <string_view>

namespace wb {

enum class ValueType : uint8_t { kVoid, kI32, kI64, kF32, kF64, kV128, kFuncRef, kExternRef };

std::string_view TypeName(ValueType type);  // "i32"
uint32_t TypeWords(ValueType type);         // 32-bit words of a value in lane state: 1, 2 or 4

enum class Opcode : uint16_t {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) k##name,
#define WB_LOAD(name, code, token, text, type, bytes) k##name,
#define WB_STORE(name, code, token, text, type, bytes) k##name,
#define WB_OTHER(name, code, text, fuel) k##name,
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};

enum class OpcodeClass : uint8_t { kNumeric, kLoad, kStore, kOther };
enum class OpcodeForm : uint8_t { kInfix, kCompare, kCall };

struct OpcodeFacts {
  std::string_view text;      // "i32.add"
  std::string_view function;  // "wb_i32_add": the runtime function; empty for kOther
  std::string_view spelling;  // "+" for kInfix and kCompare
  std::string_view check;     // runtime function that tells the trap, or empty
  uint16_t code = 0;          // 0xfcNN for prefixed ones
  OpcodeClass klass = OpcodeClass::kOther;
  OpcodeForm form = OpcodeForm::kCall;
  ValueType result = ValueType::kVoid;  // loads: type loaded
  ValueType a = ValueType::kVoid;
  ValueType b = ValueType::kVoid;  // stores: type stored
  uint8_t bytes = 0;               // loads and stores: bytes touched
  uint8_t fuel = 1;
};

const OpcodeFacts& FactsOf(Opcode opcode);

// The operator with this code (0xfcNN for prefixed ones), or nullptr where the table has none.
const Opcode* FindOpcode(uint32_t code);

}  // namespace wb
