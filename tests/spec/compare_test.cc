#include "tests/spec/compare.h"

#include <gtest/gtest.h>

namespace wb::spec {
namespace {

ScriptValue Expect(Value value) {
  ScriptValue expected;
  expected.value = value;
  return expected;
}
ScriptValue ExpectNan(ValueType type, NanClass nan) {
  ScriptValue expected;
  expected.value.type = type;
  expected.nans[0] = nan;
  return expected;
}
Value F32Bits(uint32_t bits) { return {ValueType::kF32, {bits, 0, 0, 0}}; }
Value F64Bits(uint64_t bits) {
  Value value = Value::I64(bits);
  value.type = ValueType::kF64;
  return value;
}

TEST(Matches, ComparesEveryBit) {
  EXPECT_TRUE(Matches(Expect(Value::I64(1ull << 63)), Value::I64(1ull << 63)));
  EXPECT_FALSE(Matches(Expect(Value::I64(1ull << 63)), Value::I64(0)));
  EXPECT_FALSE(Matches(Expect(Value::F32(0.0f)), Value::F32(-0.0f)));
  EXPECT_FALSE(Matches(Expect(F32Bits(0x7fc00000)), F32Bits(0xffc00000)));
  EXPECT_FALSE(Matches(Expect(Value::I32(1)), Value::I64(1)));
}

TEST(Matches, NanClasses) {
  const ScriptValue canonical = ExpectNan(ValueType::kF32, NanClass::kCanonical);
  const ScriptValue arithmetic = ExpectNan(ValueType::kF32, NanClass::kArithmetic);
  EXPECT_TRUE(Matches(canonical, F32Bits(0x7fc00000)));
  EXPECT_TRUE(Matches(canonical, F32Bits(0xffc00000)));
  EXPECT_FALSE(Matches(canonical, F32Bits(0x7fc00001)));
  EXPECT_TRUE(Matches(arithmetic, F32Bits(0x7fc00001)));
  EXPECT_FALSE(Matches(arithmetic, F32Bits(0x7fa00000)));
  EXPECT_FALSE(Matches(arithmetic, F32Bits(0x3f800000)));
  EXPECT_TRUE(
      Matches(ExpectNan(ValueType::kF64, NanClass::kCanonical), F64Bits(0xfff8000000000000)));
  EXPECT_FALSE(
      Matches(ExpectNan(ValueType::kF64, NanClass::kArithmetic), F64Bits(0x7ff4000000000000)));
}

TEST(Matches, VectorsByLane) {
  ScriptValue expected;
  expected.value = {ValueType::kV128, {0x3f800000, 0, 0x40000000, 0}};
  expected.lane_bits = 32;
  expected.nans[1] = NanClass::kArithmetic;
  EXPECT_TRUE(Matches(expected, {ValueType::kV128, {0x3f800000, 0x7fc12345, 0x40000000, 0}}));
  EXPECT_FALSE(Matches(expected, {ValueType::kV128, {0x3f800000, 0, 0x40000000, 0}}));
  EXPECT_FALSE(Matches(expected, {ValueType::kV128, {0x3f800000, 0x7fc00000, 0x40000001, 0}}));
}

TEST(TrapMatches, WordsAndTheElementsNumber) {
  EXPECT_TRUE(TrapMatches("unreachable", Trap::kUnreachable));
  EXPECT_TRUE(TrapMatches("uninitialized element 2", Trap::kUninitializedElement));
  EXPECT_TRUE(TrapMatches("out of bounds", Trap::kOutOfBoundsMemory));
  EXPECT_FALSE(TrapMatches("undefined element", Trap::kUninitializedElement));
  EXPECT_FALSE(TrapMatches("uninitialized element two", Trap::kUninitializedElement));
  EXPECT_FALSE(TrapMatches("out of bounds table access", Trap::kOutOfBoundsMemory));
  EXPECT_FALSE(TrapMatches("unreachable", Trap::kNone));
}

TEST(Describe, BitsAndClasses) {
  EXPECT_EQ(Describe(Value::I64(0x1234567800000001)), "i64 0x1234567800000001");
  EXPECT_EQ(Describe(ExpectNan(ValueType::kF32, NanClass::kCanonical)), "f32 nan:canonical");
}

}  // namespace
}  // namespace wb::spec
