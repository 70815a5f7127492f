// Facts of operators hold for every value that their operands' facts allow.

#include "compiler/passes/analysis/known_bits.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>

namespace wb::test {
namespace {

uint32_t Signed(uint32_t a, uint32_t n) {
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> static_cast<int>(n & 31u));
}

struct Operator {
  Opcode opcode;
  uint32_t (*apply)(uint32_t a, uint32_t b);
};
constexpr Operator kOperators[] = {
    {Opcode::kI32Add, [](uint32_t a, uint32_t b) { return a + b; }},
    {Opcode::kI32Sub, [](uint32_t a, uint32_t b) { return a - b; }},
    {Opcode::kI32Mul, [](uint32_t a, uint32_t b) { return a * b; }},
    {Opcode::kI32And, [](uint32_t a, uint32_t b) { return a & b; }},
    {Opcode::kI32Or, [](uint32_t a, uint32_t b) { return a | b; }},
    {Opcode::kI32Xor, [](uint32_t a, uint32_t b) { return a ^ b; }},
    {Opcode::kI32Shl, [](uint32_t a, uint32_t b) { return a << (b & 31u); }},
    {Opcode::kI32ShrU, [](uint32_t a, uint32_t b) { return a >> (b & 31u); }},
    {Opcode::kI32ShrS, Signed},
    {Opcode::kI32Rotl,
     [](uint32_t a, uint32_t b) { return std::rotl(a, static_cast<int>(b & 31u)); }},
    {Opcode::kI32DivU, [](uint32_t a, uint32_t b) { return b == 0 ? 0 : a / b; }},
    {Opcode::kI32RemU, [](uint32_t a, uint32_t b) { return b == 0 ? 0 : a % b; }},
    {Opcode::kI32Clz,
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(std::countl_zero(a)); }},
    {Opcode::kI32Ctz,
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(std::countr_zero(a)); }},
    {Opcode::kI32Popcnt,
     [](uint32_t a, uint32_t) { return static_cast<uint32_t>(std::popcount(a)); }},
    {Opcode::kI32Eqz, [](uint32_t a, uint32_t) { return a == 0 ? 1u : 0u; }},
    {Opcode::kI32LtU, [](uint32_t a, uint32_t b) { return a < b ? 1u : 0u; }},
    {Opcode::kI32Eq, [](uint32_t a, uint32_t b) { return a == b ? 1u : 0u; }},
    {Opcode::kI32Ne, [](uint32_t a, uint32_t b) { return a != b ? 1u : 0u; }},
    {Opcode::kI32GtU, [](uint32_t a, uint32_t b) { return a > b ? 1u : 0u; }},
    {Opcode::kI32LeU, [](uint32_t a, uint32_t b) { return a <= b ? 1u : 0u; }},
    {Opcode::kI32GeU, [](uint32_t a, uint32_t b) { return a >= b ? 1u : 0u; }},
    {Opcode::kI32LtS,
     [](uint32_t a, uint32_t b) {
       return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? 1u : 0u;
     }},
    {Opcode::kI32GtS,
     [](uint32_t a, uint32_t b) {
       return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? 1u : 0u;
     }},
    {Opcode::kI32LeS,
     [](uint32_t a, uint32_t b) {
       return static_cast<int32_t>(a) <= static_cast<int32_t>(b) ? 1u : 0u;
     }},
    {Opcode::kI32GeS,
     [](uint32_t a, uint32_t b) {
       return static_cast<int32_t>(a) >= static_cast<int32_t>(b) ? 1u : 0u;
     }},
    {Opcode::kI32Rotr,
     [](uint32_t a, uint32_t b) { return std::rotr(a, static_cast<int>(b & 31u)); }},
    {Opcode::kI32Extend8S, [](uint32_t a, uint32_t) { return Signed(a << 24, 24); }},
};

bool Allows(const KnownBits& fact, uint32_t value) {
  return (value & fact.zeros) == 0 && (~value & fact.ones) == 0;
}

// Facts of all shapes: nothing, low bits, high zeros, scattered bits, a constant.
class SomeFacts {
 public:
  KnownBits Any() {
    const uint32_t value = Word();
    switch (random_() % 6) {
      case 0: return KnownBits::Nothing();
      case 1: return KnownBits::Of(random_() % 2 == 0 ? value : value & 31u);
      case 2: return Known(value, (2u << (random_() % 31)) - 1u);
      case 3: return KnownBits::AtMost(value >> (random_() % 32));
      case 4: return Known(value & Word(), Word() | Word());
      default: return Known(value, Word());
    }
  }
  uint32_t ValueOf(const KnownBits& fact) {
    switch (random_() % 4) {
      case 0: return fact.least();
      case 1: return fact.most();
      default: return (Word() & ~fact.zeros) | fact.ones;
    }
  }

 private:
  static KnownBits Known(uint32_t value, uint32_t mask) { return {~value & mask, value & mask}; }
  uint32_t Word() { return static_cast<uint32_t>(random_()); }
  std::mt19937_64 random_{7};
};

TEST(KnownBits, OfAResultHoldForEveryValueOfTheOperands) {
  SomeFacts facts;
  for (const Operator& op : kOperators) {
    for (int i = 0; i < 4'000; ++i) {
      const KnownBits a = facts.Any();
      const KnownBits b = facts.Any();
      const KnownBits result = ResultBits(op.opcode, a, b);
      for (int k = 0; k < 6; ++k) {
        const uint32_t x = facts.ValueOf(a), y = facts.ValueOf(b);
        ASSERT_TRUE(Allows(a, x) && Allows(b, y));
        ASSERT_TRUE(Allows(result, op.apply(x, y)))
            << FactsOf(op.opcode).text << " of " << x << " and " << y;
      }
    }
  }
}

TEST(KnownBits, OfConstantsAreTheResult) {
  SomeFacts facts;
  for (size_t i = 0; i < 10; ++i) {
    const Operator& op = kOperators[i];
    for (int k = 0; k < 1000; ++k) {
      const uint32_t x = facts.ValueOf({}), y = facts.ValueOf({});
      const KnownBits result = ResultBits(op.opcode, KnownBits::Of(x), KnownBits::Of(y));
      ASSERT_EQ(result, KnownBits::Of(op.apply(x, y))) << FactsOf(op.opcode).text;
    }
  }
}

TEST(KnownBits, OfAddressesAreAsCompilersNeedThem) {
  const KnownBits any;
  const auto of = [](uint32_t value) { return KnownBits::Of(value); };
  const KnownBits word = ResultBits(Opcode::kI32Shl, any, of(2));
  EXPECT_EQ(word.low_zeros(), 2u);
  EXPECT_EQ(ResultBits(Opcode::kI32Add, word, of(1024)).low_zeros(), 2u);
  EXPECT_EQ(ResultBits(Opcode::kI32Mul, any, of(24)).low_zeros(), 3u);
  EXPECT_EQ(ResultBits(Opcode::kI32Mul, word, of(6)).low_zeros(), 3u);
  const KnownBits index = ResultBits(Opcode::kI32And, any, of(0xff));
  EXPECT_EQ(index.most(), 0xffu);
  EXPECT_EQ(ResultBits(Opcode::kI32Shl, index, of(2)).most(), 0x3fcu);
  EXPECT_EQ(ResultBits(Opcode::kI32Add, index, of(4096)).most(), 4096u + 0xffu);
  EXPECT_EQ(Or(of(16), of(48)).low_zeros(), 4u);
  EXPECT_EQ(Or(KnownBits::NoValue(), of(5)), of(5));
  EXPECT_FALSE(ResultBits(Opcode::kI32Add, KnownBits::NoValue(), any).has_value());
}

}  // namespace
}  // namespace wb::test
