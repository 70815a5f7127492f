#pragma once

// The operators of WebAssembly as one enumeration, with the facts of opcode.def.

#include <array>
#include <cstdint>
#include <string_view>

namespace wb {

enum class ValueType : uint8_t { kVoid, kI32, kI64, kF32, kF64, kV128, kFuncRef, kExternRef };

constexpr bool IsFloat(ValueType type) {
  return type == ValueType::kF32 || type == ValueType::kF64;
}

std::string_view TypeName(ValueType type);  // "i32"
inline bool IsReference(ValueType type) {
  return type == ValueType::kFuncRef || type == ValueType::kExternRef;
}
uint32_t TypeWords(ValueType type);  // 32-bit words of a value in lane state: 1, 2 or 4

using V128 = std::array<uint32_t, 4>;  // a v128 constant, least significant word first

enum class Opcode : uint16_t {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) k##name,
#define WB_LOAD(name, code, token, text, type, bytes) k##name,
#define WB_STORE(name, code, token, text, type, bytes) k##name,
#define WB_OTHER(name, code, text, fuel) k##name,
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) k##name,
#define WB_VECTOR_LOAD(name, code, token, text, bytes) k##name,
#define WB_VECTOR_STORE(name, code, token, text, bytes) k##name,
#define WB_LANE_LOAD(name, code, token, text, bytes) k##name,
#define WB_LANE_STORE(name, code, token, text, bytes) k##name,
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};

enum class OpcodeClass : uint8_t { kNumeric, kVector, kLoad, kStore, kOther };
enum class OpcodeForm : uint8_t { kInfix, kCompare, kCall };
// An immediate that is the last operand: the number of a lane (i32), or the lanes of a shuffle.
enum class OpcodeImmediate : uint8_t { kNone, kLane, kLanes };

struct OpcodeFacts {
  std::string_view text;      // "i32.add"
  std::string_view function;  // "wb_i32_add": the runtime function; empty for kOther
  std::string_view spelling;  // "+" for kInfix and kCompare
  std::string_view check;     // runtime function that tells the trap, or empty
  uint32_t code = 0;          // 0xfcNN, 0xfdNN or 0xfdNNN for prefixed ones
  OpcodeClass klass = OpcodeClass::kOther;
  OpcodeForm form = OpcodeForm::kCall;
  ValueType result = ValueType::kVoid;  // loads: type loaded
  ValueType a = ValueType::kVoid;
  ValueType b = ValueType::kVoid;  // stores: type stored
  ValueType c = ValueType::kVoid;
  OpcodeImmediate immediate = OpcodeImmediate::kNone;
  uint8_t bytes = 0;  // loads and stores: bytes touched
  uint8_t fuel = 1;
};

const OpcodeFacts& FactsOf(Opcode opcode);

// The operator with this code (0xfcNN, 0xfdNN or 0xfdNNN for prefixed ones), or nullptr where the
// table has none.
const Opcode* FindOpcode(uint32_t code);

}  // namespace wb
