// Fuel, safepoints and loops as instructions.

#include "scheduler/devices/interpreter/control_translator.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace wb::test {
namespace {

using ir::Op;

// Of the function with these rows, and one construct besides its body: a loop.
ByteFunction TranslateControl(const std::vector<std::pair<Op, uint64_t>>& rows, bool profiles) {
  const LoweredModule module;
  ir::Function function;
  function.safepoints = 2;
  function.request = 77;
  function.constructs.resize(2);
  function.constructs[1].kind = ir::ConstructKind::kLoop;
  for (const auto& [op, imm] : rows) {
    ir::Inst& inst = function.insts.emplace_back();
    inst.op = op;
    inst.imm = imm;
    inst.offset = static_cast<uint32_t>(10 * function.insts.size());
  }
  const Slots slots(function);
  ByteFunction out;
  BytecodeBuilder builder(function, slots, out);
  ControlTranslator control(module, profiles, builder);
  control.Begin();
  for (; !builder.AtEnd(); builder.Advance()) control.Visit(builder.Row());
  control.Finish();
  return out;
}

std::vector<ByteOp> OpsOf(const ByteFunction& function) {
  std::vector<ByteOp> ops;
  for (const ByteCode& code : function.code) ops.push_back(code.op);
  return ops;
}

TEST(ControlTranslatorTest, APaymentAndItsSafepointAreOneInstruction) {
  const ByteFunction out = TranslateControl(
      {{Op::kPay, 3}, {Op::kSafepoint, 1}, {Op::kPay, 4}, {Op::kPay, 0}, {Op::kAsk, 2}}, false);
  EXPECT_EQ(OpsOf(out), (std::vector<ByteOp>{ByteOp::kPaySafepoint, ByteOp::kPay, ByteOp::kAsk,
                                             ByteOp::kReturn}));
  EXPECT_EQ(out.offsets, (std::vector<uint32_t>{20, 30, 50, 0}));
  EXPECT_EQ(out.code[0].dst, 1u);
  EXPECT_EQ(out.code[0].imm, 3u);
  EXPECT_EQ(out.code[2].dst, 2u);
  EXPECT_EQ(out.code[2].imm, 77u);
  ASSERT_EQ(out.safepoints.size(), 3u);
  EXPECT_EQ(out.safepoints[1].pc, 1u);
  EXPECT_EQ(out.safepoints[1].row, 1u);
  EXPECT_EQ(out.safepoints[2].pc, 3u);
  EXPECT_EQ(out.safepoints[2].row, 4u);
}

TEST(ControlTranslatorTest, LoopsAreCountedWhereFuelIs) {
  const std::vector<std::pair<Op, uint64_t>> rows = {{Op::kLoop, 1}, {Op::kBr, 1}, {Op::kEnd, 1}};
  const ByteFunction plain = TranslateControl(rows, false);
  EXPECT_EQ(OpsOf(plain), (std::vector<ByteOp>{ByteOp::kJump, ByteOp::kReturn}));
  EXPECT_EQ(plain.code[0].dst, 0u);
  EXPECT_TRUE(plain.loops.empty());
  const ByteFunction counted = TranslateControl(rows, true);
  EXPECT_EQ(OpsOf(counted),
            (std::vector<ByteOp>{ByteOp::kProfileEnter, ByteOp::kProfileLoop, ByteOp::kJump,
                                 ByteOp::kProfileLoop, ByteOp::kProfileLeave, ByteOp::kReturn}));
  EXPECT_EQ(counted.code[1].imm, 1u);
  EXPECT_EQ(counted.code[2].dst, 1u);  // each round is counted
  EXPECT_EQ(counted.code[3].imm, 0u);
  ASSERT_EQ(counted.loops.size(), 2u);
  EXPECT_EQ(counted.loops[1].offset, 10u);
}

TEST(ControlTranslatorTest, AFusedTestBranchesAsItsRowDoes) {
  const LoweredModule module;
  ir::Function function;
  function.constructs.resize(2);
  function.constructs[1].kind = ir::ConstructKind::kIf;
  function.insts.resize(2);
  function.insts[0].op = Op::kIf;
  function.insts[1].op = Op::kEnd;
  for (ir::Inst& inst : function.insts) inst.imm = 1;
  const Slots slots(function);
  ByteFunction out;
  BytecodeBuilder builder(function, slots, out);
  ControlTranslator control(module, false, builder);
  control.Begin();
  builder.Emit(ByteOp::kI32EqzUnless);
  control.Branch(builder.Row());
  builder.Emit(ByteOp::kTrap);
  builder.Advance();
  control.Visit(builder.Row());
  EXPECT_EQ(out.code[0].dst, 2u);
}

}  // namespace
}  // namespace wb::test
