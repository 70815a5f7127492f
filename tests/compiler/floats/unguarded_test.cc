// The negative control: with the guards of f32 taken out of the text, the same cases must show
// differences, or the other tests show nothing.

#include <gtest/gtest.h>

#include "compiler/base/flush_subnormals.h"
#include "tests/compiler/floats/agreement.h"
#include "tests/compiler/floats/sums_of_products.h"

namespace wb {
namespace {

bool HadAGuard(Opcode opcode) {
  switch (opcode) {
    case Opcode::kF32Add:
    case Opcode::kF32Sub:
    case Opcode::kF32Mul:
    case Opcode::kF32Div:
    case Opcode::kF32Sqrt: return true;
    default: return false;
  }
}

TEST(UnguardedFloatsTest, DifferFromHardware) {
  if (!FlushSubnormals::Supported()) GTEST_SKIP() << "This processor cannot flush subnormals.";
  int rows = 0;
  for (const MetalRow& row : MetalRows()) {
    if (!HadAGuard(row.opcode)) continue;
    ++rows;
    EXPECT_GT(CheckRow(row, 60'000, 1).differences, 100u) << FactsOf(row.opcode).text;
  }
  EXPECT_EQ(rows, 5);
  EXPECT_GT(CheckProductSum(ProductSum::kMulAdd, 200'000, 1).differences, 100u);
}

}  // namespace
}  // namespace wb
