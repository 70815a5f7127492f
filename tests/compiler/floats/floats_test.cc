// Every float operator of the metal floats against the processor's own arithmetic, with subnormals
// flushed on one side only. Bounded; with WB_FLOATS_FULL=1 at least 20 million cases of every
// operator, and all 2^32 of those with one f32 operand.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <vector>

#include "compiler/base/flush_subnormals.h"
#include "tests/compiler/floats/agreement.h"
#include "tests/compiler/floats/sums_of_products.h"

namespace wb {
namespace {

bool Full() {
  const char* full = std::getenv("WB_FLOATS_FULL");
  return full != nullptr && full[0] == '1';
}

// Parts of the work, one per processor.
template <typename Check>
Agreement InParallel(Check check) {
  const unsigned parts = Full() ? std::max(1u, std::thread::hardware_concurrency()) : 1;
  std::vector<Agreement> agreements(parts);
  std::vector<std::thread> threads;
  for (unsigned part = 1; part < parts; ++part) {
    threads.emplace_back([&, part] { agreements[part] = check(part, parts); });
  }
  agreements[0] = check(0u, parts);
  for (std::thread& thread : threads) thread.join();
  Agreement sum;
  for (const Agreement& agreement : agreements) sum.Add(agreement);
  return sum;
}

class MetalFloatsTest : public ::testing::TestWithParam<MetalRow> {
 protected:
  void SetUp() override {
    if (!FlushSubnormals::Supported()) GTEST_SKIP() << "This processor cannot flush subnormals.";
  }
};

TEST_P(MetalFloatsTest, AgreesWithHardware) {
  const uint64_t cases = Full() ? 20'000'000 : 60'000;
  const Agreement agreement = InParallel([&](unsigned part, unsigned parts) {
    return CheckRow(GetParam(), (cases + parts - 1) / parts, 1 + part);
  });
  EXPECT_GE(agreement.cases, cases);
  EXPECT_EQ(agreement.differences, 0u) << "of " << agreement.cases << ": " << agreement.first;
}

TEST_P(MetalFloatsTest, AgreesOnPatternsOfOneF32) {
  const OpcodeFacts& facts = FactsOf(GetParam().opcode);
  if (facts.a != ValueType::kF32 || facts.b != ValueType::kVoid) return;
  const uint64_t all = uint64_t{1} << 32;
  const Agreement agreement = InParallel([&](unsigned part, unsigned parts) {
    return CheckPatterns(GetParam(), all / parts * part, all / parts * (part + 1) - 1,
                         Full() ? 1 : 40009);
  });
  EXPECT_GE(agreement.cases, Full() ? all : 100'000);
  EXPECT_EQ(agreement.differences, 0u) << "of " << agreement.cases << ": " << agreement.first;
}

TEST(ProductSums, AgreeWithHardware) {
  if (!FlushSubnormals::Supported()) GTEST_SKIP() << "This processor cannot flush subnormals.";
  const uint64_t cases = Full() ? 20'000'000 : 200'000;
  for (const ProductSum form : {ProductSum::kMulAdd, ProductSum::kMulSub, ProductSum::kSubMul}) {
    const Agreement agreement = InParallel([&](unsigned part, unsigned parts) {
      return CheckProductSum(form, (cases + parts - 1) / parts, 1 + part);
    });
    EXPECT_GE(agreement.cases, cases);
    EXPECT_EQ(agreement.differences, 0u) << "of " << agreement.cases << ": " << agreement.first;
  }
}

std::string NameOf(const ::testing::TestParamInfo<MetalRow>& info) {
  std::string name(FactsOf(info.param.opcode).text);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MetalFloatsTest, ::testing::ValuesIn(MetalRows()), NameOf);

}  // namespace
}  // namespace wb
