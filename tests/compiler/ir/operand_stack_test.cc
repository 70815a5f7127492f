// The operand stack by itself: locals on it that change, and what its operands cost.

#include "compiler/passes/rows/operand_stack.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "compiler/passes/rows/row_emitter.h"

namespace wb::test {
namespace {

using ir::Op;
using ir::Var;

ir::Function HeadWithLocals(std::vector<ValueType> locals) {
  ir::Function head;
  head.vars = std::move(locals);
  head.num_locals = static_cast<uint32_t>(head.vars.size());
  return head;
}

class OperandStackTest : public testing::Test {
 protected:
  const std::vector<ir::Inst>& insts() { return rows_.function().insts; }

  RowEmitter rows_{HeadWithLocals({ValueType::kI32, ValueType::kI64, ValueType::kV128})};
  OperandStack operands_{rows_};
};

TEST_F(OperandStackTest, AChangingLocalIsCopiedOnceForAllItsReaders) {
  operands_.PushAll({0, 1, 0});
  rows_.MoveTo(17);
  operands_.Snapshot(0);
  ASSERT_EQ(insts().size(), 1u);
  EXPECT_EQ(insts()[0].op, Op::kCopy);
  EXPECT_EQ(insts()[0].a, 0u);
  EXPECT_EQ(insts()[0].offset, 0u);  // the copy belongs to no operator
  const Var copy = insts()[0].dst;
  EXPECT_EQ(rows_.TypeOf(copy), ValueType::kI32);
  EXPECT_EQ(operands_.PopAll(3), (std::vector<Var>{copy, 1, copy}));
}

TEST_F(OperandStackTest, ALocalThatIsNotOnTheStackIsNotCopied) {
  operands_.PushAll({0, 1});
  operands_.Pop();
  operands_.Snapshot(1);
  EXPECT_TRUE(insts().empty());
  operands_.Snapshot(0);
  operands_.Snapshot(0);  // the stack reads the copy by now
  EXPECT_EQ(insts().size(), 1u);
}

TEST_F(OperandStackTest, ASnapshotOfAllLeavesNoLocalOnTheStack) {
  const Var value = rows_.NewVar(ValueType::kF32);
  operands_.PushAll({1, value, 0, 1});
  operands_.Snapshot(1);
  operands_.SnapshotAll();
  EXPECT_EQ(insts().size(), 2u);  // one copy of each local
  for (uint32_t i = 0; i < operands_.height(); ++i) EXPECT_FALSE(rows_.IsLocal(operands_.at(i)));
  EXPECT_EQ(operands_.at(1), value);
  operands_.Push(0);
  operands_.SnapshotAll();
  EXPECT_EQ(insts().size(), 3u);  // what was pushed since
}

TEST_F(OperandStackTest, TheMostSlotsStayWhenOperandsAreDropped) {
  operands_.PushAll({0, 2, 1});  // a vector takes two slots
  operands_.DropTo(1);
  operands_.Push(0);
  EXPECT_EQ(operands_.height(), 2u);
  EXPECT_EQ(operands_.max_slots(), 4u);
}

}  // namespace
}  // namespace wb::test
