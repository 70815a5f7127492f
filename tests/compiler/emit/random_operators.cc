#include <array>
#include <iterator>

#include "tests/compiler/emit/random_function.h"

namespace wb::test {
namespace {

constexpr uint32_t kFirstRelaxedCode = 0xfd100;

using ByResult = std::array<std::vector<Opcode>, 8>;

ByResult SortedByResult(bool relaxed) {
  ByResult rows;
  for (Opcode opcode : {
#define WB_VECTOR(name, code, token, text, result, a, b, c, immediate) Opcode::k##name,
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode_simd.def"
#undef WB_OTHER
       }) {
    const OpcodeFacts& facts = FactsOf(opcode);
    if (facts.code >= kFirstRelaxedCode && !relaxed) continue;
    // wabt's assembler has no such words.
    if (facts.text.find("relaxed_dot") != std::string_view::npos) continue;
    rows[static_cast<size_t>(facts.result)].push_back(opcode);
  }
  return rows;
}

// The vector operators with this result; wabt's interpreter does not know the relaxed ones.
const std::vector<Opcode>& VectorOperators(ValueType result, bool relaxed) {
  static const ByResult kAll = SortedByResult(true), kCommon = SortedByResult(false);
  return (relaxed ? kAll : kCommon)[static_cast<size_t>(result)];
}

uint32_t LanesOf(std::string_view text) {
  if (text.substr(0, 5) == "i8x16") return 16;
  if (text.substr(0, 5) == "i16x8") return 8;
  return text.substr(3, 2) == "x4" ? 4 : 2;
}

}  // namespace

void FunctionMaker::Operator(ValueType type) {
  switch (type) {
    case ValueType::kI32: return OperatorI32();
    case ValueType::kI64: return OperatorI64();
    case ValueType::kV128: return Vector(type);
    case ValueType::kFuncRef: return Reference();
    default: return OperatorFloat(type);
  }
}

void FunctionMaker::Integers(ValueType type) {
  static constexpr const char* kBinary[] = {"add", "sub",   "mul",   "and",  "or",  "xor",
                                            "shl", "shr_s", "shr_u", "rotl", "rotr"};
  static constexpr const char* kTrapping[] = {"div_s", "div_u", "rem_s", "rem_u"};
  const std::string name = std::string(TypeName(type)) + ".";
  Expr(type);
  if (Chance(25)) {
    // By a constant, which compilers like to do otherwise: seldom one that traps.
    Const(type);
    return Line(name + std::string(Chance(15) ? OneOf(kTrapping) : OneOf(kBinary)));
  }
  Expr(type);
  Line(name + std::string(Chance(3) ? OneOf(kTrapping) : OneOf(kBinary)));
}

void FunctionMaker::OperatorI32() {
  static constexpr const char* kUnary[] = {"clz", "ctz",       "popcnt",
                                           "eqz", "extend8_s", "extend16_s"};
  static constexpr const char* kCompare[] = {"eq",   "ne",   "lt_s", "lt_u", "gt_s",
                                             "gt_u", "le_s", "le_u", "ge_s", "ge_u"};
  static constexpr const char* kFloatCompare[] = {"eq", "ne", "lt", "gt", "le", "ge"};
  switch (Below(9)) {
    case 0:
      if (Chance(15)) {
        Expr(ValueType::kI64);
        return Line("i64.eqz");
      }
      Expr(ValueType::kI32);
      return Line("i32." + std::string(OneOf(kUnary)));
    case 1:
    case 2: {
      const ValueType type = Chance(60) ? ValueType::kI32 : ValueType::kI64;
      Expr(type);
      Expr(type);
      return Line(std::string(TypeName(type)) + "." + std::string(OneOf(kCompare)));
    }
    case 3: {
      const ValueType type = Chance(50) ? ValueType::kF32 : ValueType::kF64;
      Expr(type);
      Expr(type);
      return Line(std::string(TypeName(type)) + "." + std::string(OneOf(kFloatCompare)));
    }
    case 4: return ConvertTo("i32", "i32.wrap_i64", "i32.reinterpret_f32", ValueType::kF32);
    case 5: return Vector(ValueType::kI32);
    default: return Integers(ValueType::kI32);
  }
}

void FunctionMaker::OperatorI64() {
  static constexpr const char* kUnary[] = {"clz",       "ctz",        "popcnt",
                                           "extend8_s", "extend16_s", "extend32_s"};
  switch (Below(9)) {
    case 0: return ConvertTo("i64", "", "i64.reinterpret_f64", ValueType::kF64);
    case 1:
      Expr(ValueType::kI32);
      return Line(Chance(50) ? "i64.extend_i32_s" : "i64.extend_i32_u");
    case 2: return Vector(ValueType::kI64);
    case 3: Expr(ValueType::kI64); return Line("i64." + std::string(OneOf(kUnary)));
    default: return Integers(ValueType::kI64);
  }
}

// A conversion to an integer type: from its bits, from the other one, from a float.
void FunctionMaker::ConvertTo(const std::string& to, std::string_view wrap,
                              std::string_view reinterpret, ValueType bits) {
  if (Chance(40)) {
    Expr(bits);
    return Line(reinterpret);
  }
  if (!wrap.empty() && Chance(50)) {
    Expr(ValueType::kI64);
    return Line(wrap);
  }
  const ValueType from = Chance(50) ? ValueType::kF32 : ValueType::kF64;
  Expr(from);
  Line(to + (Chance(5) ? ".trunc_" : ".trunc_sat_") + std::string(TypeName(from)) +
       (Chance(50) ? "_s" : "_u"));
}

void FunctionMaker::OperatorFloat(ValueType type) {
  static constexpr const char* kUnary[] = {"abs",   "neg",     "ceil", "floor",
                                           "trunc", "nearest", "sqrt"};
  static constexpr const char* kBinary[] = {"add", "sub", "mul", "div", "min", "max", "copysign"};
  const std::string name = std::string(TypeName(type)) + ".";
  const bool single = type == ValueType::kF32;
  switch (Below(8)) {
    case 0: {
      const ValueType from = Chance(50) ? ValueType::kI32 : ValueType::kI64;
      Expr(from);
      return Line(name + "convert_" + std::string(TypeName(from)) + (Chance(50) ? "_s" : "_u"));
    }
    case 1:
      Expr(single ? ValueType::kI32 : ValueType::kI64);
      return Line(single ? "f32.reinterpret_i32" : "f64.reinterpret_i64");
    case 2:
      Expr(single ? ValueType::kF64 : ValueType::kF32);
      Line(single ? "f32.demote_f64" : "f64.promote_f32");
      break;
    case 3:
      Expr(type);
      Line(name + std::string(OneOf(kUnary)));
      break;
    case 4: return Vector(type);
    default:
      Expr(type);
      Expr(type);
      Line(name + std::string(OneOf(kBinary)));
      break;
  }
  if (nans_ == Nans::kCanonical) Line(single ? "call $canonical_f32" : "call $canonical_f64");
}

void FunctionMaker::Immediate(const OpcodeFacts& facts, std::string* line) {
  if (facts.immediate == OpcodeImmediate::kLane) {
    *line += " " + std::to_string(Below(LanesOf(facts.text)));
  } else if (facts.immediate == OpcodeImmediate::kLanes) {
    for (int i = 0; i < 16; ++i) *line += " " + std::to_string(Below(32));
  }
}

void FunctionMaker::Vector(ValueType result) {
  const std::vector<Opcode>& rows = VectorOperators(result, nans_ == Nans::kAsTheyCome);
  const OpcodeFacts& facts = FactsOf(rows[Below(static_cast<uint32_t>(rows.size()))]);
  Types operands;
  for (ValueType type : {facts.a, facts.b, facts.c}) {
    if (type != ValueType::kVoid) operands.push_back(type);
  }
  if (facts.immediate != OpcodeImmediate::kNone) operands.pop_back();
  for (ValueType type : operands) Expr(type);
  std::string line(facts.text);
  Immediate(facts, &line);
  Line(line);
  const bool floats = facts.text[0] == 'f' && facts.result == ValueType::kV128;
  if (nans_ == Nans::kCanonical && floats) {
    Line("call $canonical_" + std::string(facts.text.substr(0, 5)));
  }
}

}  // namespace wb::test
