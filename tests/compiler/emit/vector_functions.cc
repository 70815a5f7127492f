#include "tests/compiler/emit/vector_functions.h"

namespace wb::test {
namespace {

std::string OperandText(ValueType type, const char* vector) {
  switch (type) {
    case ValueType::kV128: return std::string(" (local.get ") + vector + ")";
    case ValueType::kI32: return " (i32x4.extract_lane 1 (local.get $y))";
    case ValueType::kI64: return " (i64x2.extract_lane 1 (local.get $y))";
    case ValueType::kF32: return " (f32x4.extract_lane 2 (local.get $y))";
    case ValueType::kF64: return " (f64x2.extract_lane 0 (local.get $y))";
    default: return "";
  }
}

std::string ImmediateText(const OpcodeFacts& facts) {
  if (facts.immediate == OpcodeImmediate::kLane) return " 1";
  if (facts.immediate == OpcodeImmediate::kLanes) {
    return " 0 31 2 17 4 3 28 7 30 9 16 11 12 13 1 15";
  }
  return "";
}

}  // namespace

std::string VectorOperation(Opcode opcode) {
  const OpcodeFacts& facts = FactsOf(opcode);
  ValueType types[] = {facts.a, facts.b, facts.c};
  if (facts.immediate != OpcodeImmediate::kNone) {
    types[facts.c == ValueType::kVoid ? 1 : 2] = ValueType::kVoid;
  }
  static constexpr const char* kVectors[] = {"$x", "$y", "$z"};
  std::string text = "(" + std::string(facts.text) + ImmediateText(facts);
  for (size_t i = 0; i < 3; ++i) text += OperandText(types[i], kVectors[i]);
  text += ")";
  switch (facts.result) {
    case ValueType::kI32: return "(i32x4.splat " + text + ")";
    case ValueType::kI64: return "(i64x2.splat " + text + ")";
    case ValueType::kF32: return "(f32x4.splat " + text + ")";
    case ValueType::kF64: return "(f64x2.splat " + text + ")";
    default: return text;
  }
}

// $x, $y and $z are noise that depends on the lane; by bytes of $y some of $x are corners.
std::string VectorFunction(const std::string& name, std::span<const std::string> operations) {
  std::string wat = "(func (export \"" + name + R"(")
    (param $a i32) (param $b i64) (param $c f32) (param $d f64)
    (local $round i32) (local $x v128) (local $y v128) (local $z v128)
    (local.set $z (i64x2.replace_lane 1 (i64x2.splat (local.get $b))
                                        (i64.reinterpret_f64 (local.get $d))))
    (local.set $y (i32x4.replace_lane 0 (v128.not (local.get $z)) (local.get $a)))
    (local.set $x (i32x4.replace_lane 3 (v128.const i32x4 0x7f800000 0xff800000 0x3f800000 5)
                                        (i32.reinterpret_f32 (local.get $c))))
    (loop $next
)";
  for (size_t i = 0; i < operations.size(); ++i) {
    wat += "      (v128.store offset=" + std::to_string(16 * i) +
           " (i32.shl (local.get $round) (i32.const 7)) " + operations[i] + ")\n";
  }
  return wat + R"(
      (local.set $z (i64x2.add (i64x2.mul (local.get $z) (i64x2.splat (i64.const 6364136223846793005)))
                               (v128.const i64x2 1442695040888963407 3037000493)))
      (local.set $y (v128.xor (local.get $z)
        (i8x16.shuffle 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 (local.get $y) (local.get $y))))
      (local.set $x (v128.bitselect
        (v128.const i8x16 0x80 0 0x7f 0xff 0 0x80 0xff 0xff 0x7f 0xf0 0 0 0 0 0xc0 0x43)
        (i8x16.add (local.get $x) (local.get $y))
        (i8x16.lt_s (local.get $z) (v128.const i64x2 0 0))))
      (br_if $next (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1)))
                             (i32.const )" +
         std::to_string(kVectorRounds) + ")))))\n";
}

}  // namespace wb::test
