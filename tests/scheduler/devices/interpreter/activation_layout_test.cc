// What a function's activation has, in slots and in its frame.

#include "scheduler/devices/interpreter/activation_layout.h"

#include <gtest/gtest.h>

#include <vector>

namespace wb::test {
namespace {

// Of an i32 and a v128, with a result of each, both in the frame.
ir::Function VectorFunction() {
  ir::Function function;
  function.index = 4;
  function.num_params = function.num_locals = 2;
  function.vars = {ValueType::kI32, ValueType::kV128};
  function.arithmetic = {false, false};
  function.results = {1, 0};
  function.frame_vars = {0, 1};
  function.frame_words = 6;
  function.stack_slots = 3;
  return function;
}

ByteFunction LayOut(const ir::Function& function) {
  ByteFunction out;
  LayOutActivation(function, Slots(function), out);
  return out;
}

TEST(ActivationLayoutTest, AVectorTakesTwoWideSlots) {
  const ByteFunction out = LayOut(VectorFunction());
  EXPECT_EQ(out.slots, 3u);
  EXPECT_EQ(out.zero_slots, 3u);
  EXPECT_EQ(out.params, 2u);
  EXPECT_EQ(out.param_wide, (std::vector<bool>{false, true, true}));
  EXPECT_EQ(out.result_wide, (std::vector<bool>{true, true, false}));
  EXPECT_EQ(out.results, (std::vector<uint32_t>{1, 2, 0}));
  EXPECT_EQ(out.local_types, (std::vector<ValueType>{ValueType::kI32, ValueType::kV128}));
  EXPECT_EQ(out.result_types, (std::vector<ValueType>{ValueType::kV128, ValueType::kI32}));
  EXPECT_EQ(out.frame_words, 6u);
  ASSERT_EQ(out.frame.size(), 3u);
  for (uint32_t slot = 0; slot < 3; ++slot) {
    EXPECT_EQ(out.frame[slot].slot, slot);
    EXPECT_EQ(out.frame[slot].wide, slot > 0);
    EXPECT_FALSE(out.frame[slot].canon);
  }
}

TEST(ActivationLayoutTest, ABoundedFunctionCostsNoStack) {
  ir::Function function = VectorFunction();
  EXPECT_EQ(LayOut(function).stack_slots, 3u);
  function.bounded = true;
  EXPECT_EQ(LayOut(function).stack_slots, 0u);
}

TEST(ActivationLayoutTest, APartIsNamedAfterItsOrigin) {
  ir::Function function = VectorFunction();
  function.index = 9;
  function.part_of = 4;
  const ByteFunction out = LayOut(function);
  EXPECT_EQ(out.index, 9u);
  EXPECT_EQ(out.origin, 4u);
}

// A resumed activation needs the constants that rows behind its safepoint read from slots.
TEST(ActivationLayoutTest, AConstantThatLivesAcrossASafepointIsNoted) {
  ir::Function function;
  function.vars.resize(4, ValueType::kI32);
  function.safepoints = 1;
  function.insts.resize(4);
  for (const ir::Var var : {0u, 1u}) {
    function.insts[var].op = ir::Op::kConst;
    function.insts[var].dst = var;
    function.insts[var].imm = 50 + var;
  }
  function.insts[2].op = ir::Op::kSafepoint;
  function.insts[2].imm = 1;
  ir::Inst& sum = function.insts[3];
  sum.op = ir::Op::kNumeric;
  sum.opcode = Opcode::kI32Add;
  sum.dst = 2;
  sum.a = 0;
  sum.b = 1;  // an immediate
  const Slots slots(function);
  const ByteFunction out = LayOut(function);
  ASSERT_EQ(out.frame_constants.size(), 1u);
  EXPECT_EQ(out.frame_constants[0].slot, slots.of(0));
  EXPECT_EQ(out.frame_constants[0].bits, 50u);
  EXPECT_EQ(out.frame_constants[0].first, 0u);
  EXPECT_EQ(out.frame_constants[0].last, 3u);
}

}  // namespace
}  // namespace wb::test
