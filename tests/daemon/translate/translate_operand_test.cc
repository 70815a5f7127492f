#include "daemon/translate/translate_operand.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

std::string RefusalOf(const v1::Operand& proto) {
  const Result<Operand> operand = OperandFromProto(proto, "args[0]");
  return operand.ok() ? "" : operand.status().message();
}

// `loads` loads around a result.
v1::Operand Chain(int loads) {
  v1::Operand operand;
  v1::Operand* at = &operand;
  for (int i = 0; i < loads; ++i) {
    at->mutable_add()->set_i32(i + 1);
    at = at->mutable_load32()->mutable_pointer();
  }
  at->mutable_result()->set_step(3);
  at->mutable_add()->set_i32(-1);
  return operand;
}

TEST(TranslateOperand, EverySourceComesBackAsItWas) {
  v1::Operand length;
  length.set_column_length(7);
  length.mutable_add()->set_i32(1);
  v1::Operand global;
  global.mutable_global()->set_name("input");
  global.mutable_global()->set_module("env");
  global.mutable_add()->set_i64(-2);
  for (const v1::Operand& sent : {length, global, Chain(0), Chain(1), Chain(3)}) {
    const Result<Operand> operand = OperandFromProto(sent, "args[0]");
    ASSERT_TRUE(operand.ok()) << operand.status().message();
    v1::Operand shown;
    OperandToProto(*operand, &shown);
    EXPECT_EQ(shown.DebugString(), sent.DebugString());
  }
  const Operand parsed = OperandFromProto(global, "args[0]").value();
  EXPECT_EQ(parsed.source, Operand::Source::kGlobal);
  EXPECT_EQ(parsed.global->name, "input");
  EXPECT_EQ(parsed.global->instance, "env");
}

TEST(TranslateOperand, LoadsWithinOneAnotherAreBounded) {
  EXPECT_EQ(RefusalOf(Chain(4)),
            "The field [args[0]] has more than [3] loads within one another; let an exported "
            "function follow the pointers and take its result.");
  EXPECT_NE(RefusalOf(Chain(90)), "");
}

TEST(TranslateOperand, MistakesInsideALoadAreNamed) {
  v1::Operand bare;
  bare.mutable_load32()->mutable_pointer();
  EXPECT_EQ(RefusalOf(bare), "The field [args[0].load32.pointer] has no source.");
  bare.mutable_load32()->clear_pointer();
  EXPECT_EQ(RefusalOf(bare), "The field [args[0].load32.pointer] has no source.");
  v1::Operand added;
  added.mutable_load32()->mutable_pointer()->mutable_constant()->set_i32(16);
  added.mutable_load32()->mutable_pointer()->mutable_add()->set_i32(1);
  EXPECT_EQ(RefusalOf(added),
            "The field [args[0].load32.pointer] adds to a constant; write the sum.");
}

TEST(TranslateOperand, NamesOfGlobalsAreBounded) {
  v1::Operand operand;
  operand.mutable_global()->set_name(std::string(1024, 'g'));
  EXPECT_EQ(RefusalOf(operand), "");
  operand.mutable_global()->set_module(std::string(1025, 'm'));
  EXPECT_EQ(RefusalOf(operand), "The field [args[0].global.module] is longer than 1,024 bytes.");
  operand.mutable_global()->set_name(std::string(1025, 'g'));
  EXPECT_EQ(RefusalOf(operand), "The field [args[0].global.name] is longer than 1,024 bytes.");
}

}  // namespace
}  // namespace wb
