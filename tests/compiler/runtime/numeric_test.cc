// Every numeric row of opcode.def: the runtime text against a reference of its own, on corner
// pairs and noise.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>

#include "tests/compiler/runtime/layout_under_test.h"
#include "tests/compiler/runtime/number_samples.h"
#include "tests/compiler/runtime/numeric_reference.h"

namespace wb {
namespace {

using namespace kernel_text;  // NOLINT: the text under test

template <typename T>
T FromBits(uint64_t bits) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  } else {
    return std::bit_cast<T>(bits);
  }
}
template <typename T>
uint64_t ToBits(T value) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<uint32_t>(value);
  } else {
    return std::bit_cast<uint64_t>(value);
  }
}

template <typename R, typename A>
uint64_t Apply(R (*function)(A), uint64_t a, uint64_t) {
  return ToBits(function(FromBits<A>(a)));
}
template <typename R, typename A, typename B>
uint64_t Apply(R (*function)(A, B), uint64_t a, uint64_t b) {
  return ToBits(function(FromBits<A>(a), FromBits<B>(b)));
}

// The runtime's trap number, by the name that opcode.def gives.
uint32_t RunCheck(std::string_view name, uint64_t a, uint64_t b) {
#define CHECK(function) \
  if (name == #function) return static_cast<uint32_t>(Apply(&function, a, b));
  CHECK(wb_i32_div_s_check)
  CHECK(wb_i32_div_u_check)
  CHECK(wb_i64_div_s_check)
  CHECK(wb_i64_div_u_check)
  CHECK(wb_i32_trunc_f32_s_check)
  CHECK(wb_i32_trunc_f32_u_check)
  CHECK(wb_i32_trunc_f64_s_check)
  CHECK(wb_i32_trunc_f64_u_check)
  CHECK(wb_i64_trunc_f32_s_check)
  CHECK(wb_i64_trunc_f32_u_check)
  CHECK(wb_i64_trunc_f64_s_check)
  CHECK(wb_i64_trunc_f64_u_check)
#undef CHECK
  return name.empty() ? 0 : ~0u;
}

bool IsNan(ValueType type, uint64_t bits) {
  if (type == ValueType::kF32) return std::isnan(FromBits<float>(bits));
  return type == ValueType::kF64 && std::isnan(FromBits<double>(bits));
}

struct Row {
  Opcode opcode;
  uint64_t (*run)(uint64_t a, uint64_t b);
};
const Row kRows[] = {
#define WB_NUMERIC(name, code, token, text, result, a, b, form, spelling, check) \
  {Opcode::k##name, [](uint64_t x, uint64_t y) { return Apply(&wb_##token, x, y); }},
#define WB_LOAD(name, code, token, text, type, bytes)
#define WB_STORE(name, code, token, text, type, bytes)
#define WB_OTHER(name, code, text, fuel)
#include "compiler/wasm/opcode.def"
#undef WB_NUMERIC
#undef WB_LOAD
#undef WB_STORE
#undef WB_OTHER
};

// Names the first disagreement, or returns "".
std::string Compare(const Row& row, uint64_t a, uint64_t b) {
  const OpcodeFacts& facts = FactsOf(row.opcode);
  const NumericOutcome expected = NumericReference(row.opcode, a, b);
  const uint32_t trap = RunCheck(facts.check, a, b);
  const uint64_t bits = row.run(a, b);  // also where it traps: defined for every input
  bool same = trap == static_cast<uint32_t>(expected.trap);
  if (same && trap == 0) {
    same = bits == expected.bits ||
           (!expected.exact_nan && IsNan(facts.result, expected.bits) && IsNan(facts.result, bits));
  }
  if (same) return "";
  char text[160];
  std::snprintf(text, sizeof text, "(%llx, %llx) gives trap %u bits %llx, not trap %u bits %llx",
                static_cast<unsigned long long>(a), static_cast<unsigned long long>(b), trap,
                static_cast<unsigned long long>(bits), static_cast<unsigned>(expected.trap),
                static_cast<unsigned long long>(expected.bits));
  return std::string(facts.text) + text;
}

TEST(NumericTest, CornersOfEveryOperator) {
  for (const Row& row : kRows) {
    const OpcodeFacts& facts = FactsOf(row.opcode);
    for (uint64_t a : CornerBits(facts.a)) {
      for (uint64_t b : CornerBits(facts.b)) {
        ASSERT_EQ(Compare(row, a, b), "");
      }
    }
  }
}

TEST(NumericTest, NoiseOnEveryOperator) {
  for (const Row& row : kRows) {
    const OpcodeFacts& facts = FactsOf(row.opcode);
    std::mt19937_64 random(facts.code);
    for (int i = 0; i < 20000; ++i) {
      const uint64_t a = RandomBits(facts.a, random);
      const uint64_t b = RandomBits(facts.b, random);
      ASSERT_EQ(Compare(row, a, b), "");
    }
  }
}

TEST(NumericTest, CanonicalNans) {
  for (uint64_t bits : CornerBits(ValueType::kF32)) {
    const uint64_t expected = IsNan(ValueType::kF32, bits) ? 0x7fc00000u : bits;
    EXPECT_EQ(Apply(&wb_f32_canon, bits, 0), expected);
  }
  for (uint64_t bits : CornerBits(ValueType::kF64)) {
    const uint64_t expected = IsNan(ValueType::kF64, bits) ? 0x7ff8000000000000u : bits;
    EXPECT_EQ(Apply(&wb_f64_canon, bits, 0), expected);
  }
}

TEST(NumericTest, ConstantsAreTheirBits) {
  for (uint64_t bits : CornerBits(ValueType::kF32)) {
    EXPECT_EQ(Apply(&wb_f32_const, bits, 0), bits);
  }
  for (uint64_t bits : CornerBits(ValueType::kF64)) {
    EXPECT_EQ(Apply(&wb_f64_const, bits, 0), bits);
  }
}

}  // namespace
}  // namespace wb
