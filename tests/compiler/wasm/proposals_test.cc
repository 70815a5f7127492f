// Proposals: those that are read, and those that are refused by name and offset.

#include <gtest/gtest.h>

#include <string>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/compiler/wasm/binary_builder.h"

namespace wb::test {
namespace {

std::shared_ptr<const Module> MustDecode(std::string_view wat) {
  return Module::Decode(MustAssemble(wat)).value();
}

void ExpectOff(std::string_view wat, const Proposals& proposals, const std::string& words) {
  const auto module = Module::Decode(MustAssemble(wat), proposals);
  ASSERT_FALSE(module.ok()) << wat;
  EXPECT_NE(module.status().message().find(words), std::string::npos) << module.status().ToString();
}

TEST(Proposals, ExtendedConstantsAreOneConstantWhereTheyCanBe) {
  const auto module = MustDecode(R"((module (import "m" "g" (global i32)) (memory 1)
    (global i32 (i32.sub (i32.mul (i32.const 6) (i32.const 7)) (i32.const 43)))
    (global i64 (i64.add (i64.const -1) (i64.mul (i64.const 4294967296) (i64.const 4294967297))))
    (global i32 (i32.add (i32.const 1) (global.get 0)))
    (data (i32.add (global.get 0) (i32.const 8)) "x")))");
  EXPECT_EQ(module->globals[1].init.instruction.opcode, Opcode::kI32Const);
  EXPECT_EQ(module->globals[1].init.instruction.imm, 0xffffffffu);
  EXPECT_EQ(module->globals[2].init.instruction.imm, 0xffffffffu);  // 2^64 is 0
  EXPECT_EQ(module->globals[3].init.instruction.opcode, Opcode::kEnd);
  ASSERT_EQ(module->longer_expressions.size(), 2u);
  EXPECT_EQ(module->globals[3].init.instruction.imm, 0u);
  EXPECT_EQ(module->data[0].offset.instruction.imm, 1u);
  EXPECT_EQ(module->longer_expressions[1][0].opcode, Opcode::kGlobalGet);
  EXPECT_EQ(module->longer_expressions[1][2].opcode, Opcode::kI32Add);
}

TEST(Proposals, SeveralMemoriesAreNamedByTheirOperators) {
  const auto module = MustDecode(R"((module (memory $a 1) (memory $b 2 3)
    (data (memory $b) (i32.const 1) "x") (data $p "y")
    (func (param v128)
      (i32.store8 $b offset=7 (i32.const 0) (i32.load $a (i32.const 1)))
      (drop (v128.load8_lane $b 3 (i32.const 0) (local.get 0)))
      (memory.copy $a $b (i32.const 0) (i32.const 0) (i32.const 0))
      (memory.fill $b (i32.const 0) (i32.const 0) (i32.const 0))
      (memory.init $b $p (i32.const 0) (i32.const 0) (i32.const 0))
      (drop (memory.grow $b (memory.size $b))))))");
  ASSERT_EQ(module->memories.size(), 2u);
  EXPECT_EQ(module->data[0].memory, 1u);
  const auto find = [&](Opcode opcode) {
    for (const Instruction& instruction : module->bodies[0].instructions) {
      if (instruction.opcode == opcode) return instruction;
    }
    return Instruction();
  };
  EXPECT_EQ(find(Opcode::kI32Load).imm2, 0u);
  EXPECT_EQ(find(Opcode::kI32Store8).imm2, 1u);
  EXPECT_EQ(find(Opcode::kI32Store8).imm, 7u);
  EXPECT_EQ(find(Opcode::kV128Load8Lane).imm2, 3u | 1u << 8);
  EXPECT_EQ(find(Opcode::kMemoryCopy).imm, 0u);
  EXPECT_EQ(find(Opcode::kMemoryCopy).imm2, 1u);
  EXPECT_EQ(find(Opcode::kMemoryFill).imm, 1u);
  EXPECT_EQ(find(Opcode::kMemoryInit).imm2, 1u);
  EXPECT_EQ(find(Opcode::kMemorySize).imm, 1u);
  EXPECT_EQ(find(Opcode::kMemoryGrow).imm, 1u);
}

TEST(Proposals, TailCalls) {
  const auto module = MustDecode(R"((module (table 1 funcref) (table 1 funcref) (type $t (func))
    (func (return_call 1)) (func (return_call_indirect 1 (type $t) (i32.const 0)))))");
  EXPECT_EQ(module->bodies[0].instructions[0].opcode, Opcode::kReturnCall);
  EXPECT_EQ(module->bodies[0].instructions[0].imm, 1u);
  EXPECT_EQ(module->bodies[1].instructions[1].opcode, Opcode::kReturnCallIndirect);
  EXPECT_EQ(module->bodies[1].instructions[1].imm2, 1u);
}

TEST(Proposals, EachCanBeOff) {
  ExpectOff("(module (memory 1) (memory 1))", Proposals::None(), "only one memory");
  ExpectOff("(module (func (return_call 0)))", Proposals::None(), "[return_call] of a proposal");
  ExpectOff("(module (global i32 (i32.add (i32.const 1) (i32.const 2))))", Proposals::None(),
            "extended constant expression");
  Proposals proposals;
  proposals.multiple_memories = false;
  ExpectOff("(module (memory 1) (memory 1))", proposals, "only one memory");
}

struct Refused {
  Bytes bytes;
  std::string offset;
  std::string proposal;
};

// The body of OneFunction has its operators from byte 23 on, sections their content from byte 10.
TEST(Proposals, OthersAreRefusedByNameAndOffset) {
  const auto body = [](const Bytes& bytes) { return BinaryBuilder().OneFunction(bytes).bytes(); };
  const auto section = [](uint8_t code, const Bytes& bytes) {
    return BinaryBuilder().Section(code, bytes).bytes();
  };
  const Refused kCases[] = {
      {body({0, 0x06, 0x40, 0x0b, 0x0b}), "23", "exception handling"},       // try
      {body({0, 0x08, 0, 0x0b}), "23", "exception handling"},                // throw
      {body({0, 0x1f, 0x40, 0, 0x0b, 0x0b}), "23", "exception handling"},    // try_table
      {section(13, {0}), "10", "exception handling"},                        // tags
      {section(2, {1, 1, 'm', 1, 't', 4, 0, 0}), "", "exception handling"},  // a tag's import
      {body({0, 0xfe, 0x10, 2, 0, 0x0b}), "23", "threads"},                  // i32.atomic.load
      {section(5, {1, 3, 1, 1}), "", "threads"},                             // shared
      {section(5, {1, 4, 1}), "", "memory64"},
      {body({0, 0x14, 0, 0x0b}), "23", "typed function references"},  // call_ref
      {body({0, 0xd4, 0x0b}), "23", "typed function references"},     // ref.as_non_null
      {section(1, {1, 0x60, 1, 0x64, 0x70, 0}), "", "typed function references"},
      {body({1, 1, 0x63, 0x70, 0x0b}), "", "typed function references"},  // a local
      {section(1, {1, 0x5f, 0}), "", "garbage collection"},               // a struct
      {section(1, {1, 0x4e, 1, 0x60, 0, 0}), "", "garbage collection"},   // rec
      {section(1, {1, 0x60, 1, 0x6e, 0}), "", "garbage collection"},      // anyref
      {body({0, 0xfb, 0, 0, 0x0b}), "23", "garbage collection"},          // struct.new
  };
  for (const Refused& refused : kCases) {
    const auto module = Module::Decode(refused.bytes);
    ASSERT_FALSE(module.ok()) << refused.proposal;
    const Status status = module.status();
    EXPECT_EQ(status.reason(), Reason::kWasmUnsupportedFeature) << status.ToString();
    EXPECT_NE(status.message().find(refused.proposal), std::string::npos) << status.ToString();
    ASSERT_FALSE(status.details().empty());
    EXPECT_EQ(status.details()[0].key, "offset");
    if (!refused.offset.empty()) {
      EXPECT_EQ(status.details()[0].value, refused.offset) << status.ToString();
    }
    EXPECT_GE(std::stoul(status.details()[0].value), 10u) << status.ToString();
  }
}

}  // namespace
}  // namespace wb::test
