// Instructions as they are appended: their operands, their offsets, and the halves of vectors.

#include "scheduler/devices/interpreter/bytecode_builder.h"

#include <gtest/gtest.h>

#include <vector>

namespace wb::test {
namespace {

// A sum of a parameter with itself, and a copy of a vector.
ir::Function SumAndCopy() {
  ir::Function function;
  function.num_params = function.num_locals = 1;
  function.vars = {ValueType::kI32, ValueType::kI32, ValueType::kV128, ValueType::kV128};
  function.vectors = {{1, 2, 3, 4}};
  function.constructs.resize(1);
  function.insts.resize(2);
  ir::Inst& sum = function.insts[0];
  sum.op = ir::Op::kNumeric;
  sum.opcode = Opcode::kI32Add;
  sum.dst = 1;
  sum.a = sum.b = 0;
  sum.offset = 7;
  sum.imm = 99;
  ir::Inst& copy = function.insts[1];
  copy.op = ir::Op::kCopy;
  copy.dst = 3;
  copy.a = 2;
  copy.offset = 9;
  return function;
}

class BytecodeBuilderTest : public testing::Test {
 protected:
  const ir::Function function_ = SumAndCopy();
  const Slots slots_{function_};
  ByteFunction out_;
  BytecodeBuilder builder_{function_, slots_, out_};
};

TEST_F(BytecodeBuilderTest, ARowsOperandsAreSlots) {
  EXPECT_EQ(builder_.Next(), &function_.insts[1]);
  const ByteCode code = builder_.EmitRow(ByteOp::kI32Add);
  EXPECT_EQ(code.op, ByteOp::kI32Add);
  EXPECT_EQ(code.dst, slots_.of(1));
  EXPECT_EQ(code.a, slots_.of(0));
  EXPECT_EQ(code.b, slots_.of(0));
  EXPECT_EQ(code.imm, 99u);
  builder_.Advance();
  EXPECT_EQ(builder_.RowNumber(), 1u);
  EXPECT_EQ(builder_.Next(), nullptr);
  EXPECT_EQ(builder_.EmitRow(ByteOp::kCopy).b, 0u);  // it has none
  EXPECT_EQ(builder_.Here(), 2u);
}

TEST_F(BytecodeBuilderTest, EachInstructionHasTheOffsetOfItsRow) {
  builder_.Emit(ByteOp::kProfileEnter);
  builder_.EmitRow(ByteOp::kI32Add);
  builder_.Advance();
  builder_.EmitRow(ByteOp::kCopy);
  EXPECT_FALSE(builder_.AtEnd());
  builder_.Advance();
  EXPECT_TRUE(builder_.AtEnd());
  builder_.Emit(ByteOp::kReturn);
  EXPECT_EQ(out_.offsets, (std::vector<uint32_t>{7, 7, 9, 0}));
}

TEST_F(BytecodeBuilderTest, AVectorMovesInHalves) {
  builder_.Advance();
  builder_.EmitHalves(ByteOp::kCopy, 3);
  ASSERT_EQ(out_.code.size(), 2u);
  for (uint32_t half = 0; half < 2; ++half) {
    EXPECT_EQ(out_.code[half].dst, slots_.of(3) + half);
    EXPECT_EQ(out_.code[half].a, slots_.of(2) + half);
  }
}

TEST_F(BytecodeBuilderTest, AConstantsHalvesHaveTheirBits) {
  builder_.EmitConst(3, 0);  // the first of the vectors
  builder_.EmitConst(1, 5);
  ASSERT_EQ(out_.code.size(), 3u);
  EXPECT_EQ(out_.code[0].imm, 1u | uint64_t{2} << 32);
  EXPECT_EQ(out_.code[1].imm, 3u | uint64_t{4} << 32);
  EXPECT_EQ(out_.code[1].dst, slots_.of(3) + 1);
  EXPECT_EQ(out_.code[2].imm, 5u);
  EXPECT_EQ(out_.code[2].dst, slots_.of(1));
}

}  // namespace
}  // namespace wb::test
