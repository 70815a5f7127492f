#include "scheduler/devices/interpreter/operator_facts.h"

#include <cstddef>
#include <iterator>

namespace wb {
namespace {

using enum ValueType;

constexpr OperatorFacts Plain(std::string_view text, ValueType result, ValueType a, ValueType b) {
  return {text, result, a, b, false};
}
constexpr OperatorFacts Imm(std::string_view text, ValueType result, ValueType a, ValueType b) {
  return {text, result, a, b, true};
}

// Instructions without an entry do not show: they are of the engine, or moves of values.
constexpr OperatorFacts Other(ByteOp op) {
  switch (op) {
    case ByteOp::kSelect: return {"select"};
    case ByteOp::kMemorySize: return {"memory.size", kI32};
    case ByteOp::kMemoryGrow:
    case ByteOp::kMemoryGrowOf: return {"memory.grow", kI32, kI32};
    case ByteOp::kMemoryCopyCheck: return {"memory.copy", kVoid, kI32, kI32};
    case ByteOp::kMemoryFillCheck: return {"memory.fill", kVoid, kI32};
    case ByteOp::kVector: return {"v128 operator"};
    case ByteOp::kVectorAccess: return {"v128 access", kVoid, kI32};
    case ByteOp::kTableGet: return {"table.get", kVoid, kI32};
    case ByteOp::kTableSet: return {"table.set", kVoid, kI32};
    case ByteOp::kTableLookup: return {"call_indirect", kVoid, kI32};
    case ByteOp::kGlobalGet32:
    case ByteOp::kGlobalGet64: return {"global.get"};
    case ByteOp::kGlobalSet32:
    case ByteOp::kGlobalSet64: return {"global.set"};
    case ByteOp::kTrap: return {"unreachable"};
    case ByteOp::kIf: return {"br_if", kVoid, kI32};
    case ByteOp::kUnless: return {"if", kVoid, kI32};
    case ByteOp::kBrTable: return {"br_table", kVoid, kI32};
    default: return {};
  }
}

#define WB_FACT_PLAIN(text, result, a, b) Plain(text, k##result, k##a, k##b),
#define WB_FACT_IMM(text, result, a, b) Imm(text, k##result, k##a, k##b),
// The result of a test with a jump is in no slot.
#define WB_FACT_TEST(text, a, b) Plain(text, kVoid, k##a, k##b), Plain(text, kVoid, k##a, k##b),
#define WB_FACT_IMM_TEST(text, a, b) Imm(text, kVoid, k##a, k##b), Imm(text, kVoid, k##a, k##b),

// In the order of ByteOp.
constexpr OperatorFacts kFacts[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check)                   \
  WB_FACT_PLAIN(text, result, a, b)                                                                \
  WB_IMM_FORM_##b(WB_FACT_IMM(text, result, a, b)) WB_JUMP_FORM_##result(WB_FACT_TEST(text, a, b)) \
      WB_JUMP_FORM_##result(WB_IMM_FORM_##b(WB_FACT_IMM_TEST(text, a, b)))
#define WB_LOAD(name, code, token, text, type, bytes) {text, k##type, kI32},
#define WB_STORE(name, code, token, text, type, bytes) {text, kVoid, kI32, k##type},
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
#define WB_BYTE_FACT(name) Other(ByteOp::k##name),
    WB_BYTE_OPS(WB_BYTE_FACT)};

static_assert(std::size(kFacts) == static_cast<size_t>(ByteOp::kProfileLoop) + 1);
static_assert(kFacts[static_cast<size_t>(ByteOp::kI64ExtendI32U)].text == "i64.extend_i32_u");
static_assert(kFacts[static_cast<size_t>(ByteOp::kI32Store)].text == "i32.store");

}  // namespace

const OperatorFacts& OperatorFactsOf(ByteOp op) { return kFacts[static_cast<size_t>(op)]; }

}  // namespace wb
