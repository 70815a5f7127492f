// What Module::Decode records, checked against the bytes.

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "compiler/wasm/module.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/compiler/wasm/binary_builder.h"

namespace wb::test {
namespace {

std::shared_ptr<const Module> MustDecode(const Bytes& bytes) {
  auto module = Module::Decode(bytes);
  if (!module.ok()) {
    std::fprintf(stderr, "%s\n", module.status().ToString().c_str());
    std::abort();
  }
  return *module;
}
std::shared_ptr<const Module> MustDecode(std::string_view wat) {
  return MustDecode(MustAssemble(wat));
}

// The rows of a body as "text imm imm2".
std::vector<std::string> Rows(const Body& body) {
  std::vector<std::string> rows;
  for (const Instruction& row : body.instructions) {
    rows.push_back(std::string(FactsOf(row.opcode).text) + " " + std::to_string(row.imm) + " " +
                   std::to_string(row.imm2));
  }
  return rows;
}

TEST(Decode, TheSmallestModule) {
  Bytes bytes = MustAssemble("(module)");
  auto module = MustDecode(bytes);
  EXPECT_EQ(module->binary(), bytes);
  EXPECT_EQ(module->digest(), Sha256(bytes));
  EXPECT_TRUE(module->functions.empty());
  EXPECT_FALSE(module->start.has_value());
}

TEST(Decode, TypesAndTheirText) {
  auto module = MustDecode("(module (type (func (param i32 f64) (result i32))) (type (func)))");
  ASSERT_EQ(module->types.size(), 2u);
  EXPECT_EQ(module->types[0].ToString(), "(i32, f64) -> (i32)");
  EXPECT_EQ(module->types[1].ToString(), "() -> ()");
}

TEST(Decode, ImportsComeFirstInEveryIndexSpace) {
  auto module = MustDecode(R"((module
      (import "a" "f" (func (param i64))) (import "a" "t" (table 1 2 externref))
      (import "b" "m" (memory 3)) (import "b" "g" (global (mut f32)))
      (func (param i32)) (table 4 funcref) (global f64 (f64.const 1.5))))");
  ASSERT_EQ(module->imports.size(), 4u);
  EXPECT_EQ(module->imports[2].module, "b");
  EXPECT_EQ(module->imports[2].name, "m");
  EXPECT_EQ(ExternKindName(module->imports[2].kind), "memory");
  EXPECT_EQ(module->imported_functions, 1u);
  ASSERT_EQ(module->functions.size(), 2u);
  EXPECT_TRUE(module->functions[0].imported);
  EXPECT_EQ(module->type_of(1).ToString(), "(i32) -> ()");
  ASSERT_EQ(module->tables.size(), 2u);
  EXPECT_EQ(module->tables[0].type, ValueType::kExternRef);
  EXPECT_EQ(module->tables[0].limits.max, 2u);
  EXPECT_FALSE(module->tables[1].imported);
  EXPECT_EQ(module->memories[0].limits.min, 3u);
  EXPECT_FALSE(module->memories[0].limits.max.has_value());
  ASSERT_EQ(module->globals.size(), 2u);
  EXPECT_TRUE(module->globals[0].is_mutable);
  EXPECT_EQ(module->globals[1].init.instruction.opcode, Opcode::kF64Const);
  EXPECT_EQ(module->globals[1].init.instruction.imm, std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(module->bodies.size(), 1u);
}

TEST(Decode, ExportsAndStart) {
  auto module = MustDecode(R"((module (func) (func) (memory 1) (start 1)
      (export "run" (func 1)) (export "memory" (memory 0))))");
  EXPECT_EQ(module->start, 1u);
  ASSERT_NE(module->FindExport("run", ExternKind::kFunction), nullptr);
  EXPECT_EQ(module->FindExport("run", ExternKind::kFunction)->index, 1u);
  EXPECT_EQ(module->FindExport("run", ExternKind::kMemory), nullptr);
  EXPECT_EQ(module->FindExport("ru", ExternKind::kFunction), nullptr);
  EXPECT_NE(module->FindExport("memory", ExternKind::kMemory), nullptr);
}

TEST(Decode, Segments) {
  auto module = MustDecode(R"((module (memory 1) (table 5 funcref) (func) (func)
      (data (i32.const 7) "ab") (data "passive")
      (elem (i32.const 1) 1 0) (elem funcref (ref.null func) (ref.func 1)) (elem declare func 0)))");
  ASSERT_EQ(module->data.size(), 2u);
  EXPECT_EQ(module->data[0].offset.instruction.imm, 7u);
  EXPECT_EQ(module->data[0].bytes, (Bytes{'a', 'b'}));
  EXPECT_EQ(module->binary()[module->data[0].file_offset + 1], 0x41);  // flags, i32.const
  EXPECT_EQ(module->data[1].mode, SegmentMode::kPassive);
  EXPECT_EQ(module->binary()[module->data[1].file_offset], 1);
  ASSERT_EQ(module->elements.size(), 3u);
  ASSERT_EQ(module->elements[0].elements.size(), 2u);
  EXPECT_EQ(module->elements[0].elements[0].instruction.opcode, Opcode::kRefFunc);
  EXPECT_EQ(module->elements[0].elements[0].instruction.imm, 1u);
  EXPECT_EQ(module->elements[1].mode, SegmentMode::kPassive);
  const Instruction& second = module->elements[1].elements[1].instruction;
  EXPECT_EQ(module->binary()[second.offset], 0xd2);
  EXPECT_EQ(module->elements[1].elements[0].instruction.imm,
            static_cast<uint64_t>(ValueType::kFuncRef));
  EXPECT_EQ(module->elements[2].mode, SegmentMode::kDeclarative);
}

// Where wabt reads none: beside a ref.func of the same index, with an index of more bytes than it
// needs.
TEST(Decode, GlobalsAsElements) {
  const Bytes bytes = BinaryBuilder()
                          .Section(1, {1, 0x60, 0, 0})
                          .Section(2, {2, 1, 'm', 1, 'f', 0, 0, 1, 'm', 1, 'g', 3, 0x70, 0})
                          .Section(9, {1, 5, 0x70, 4, 0xd2, 0, 0x0b, 0x23, 0x80, 0, 0x0b,  //
                                       0xd0, 0x70, 0x0b, 0x23, 0, 0x0b})
                          .bytes();
  const auto module = MustDecode(bytes);
  ASSERT_EQ(module->elements.size(), 1u);
  const std::vector<ConstExpr>& elements = module->elements[0].elements;
  ASSERT_EQ(elements.size(), 4u);
  const Opcode wanted[] = {Opcode::kRefFunc, Opcode::kGlobalGet, Opcode::kRefNull,
                           Opcode::kGlobalGet};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(elements[i].instruction.opcode, wanted[i]) << i;
    EXPECT_EQ(bytes[elements[i].instruction.offset], i == 0 ? 0xd2 : i == 2 ? 0xd0 : 0x23) << i;
  }
  EXPECT_EQ(elements[1].instruction.imm, 0u);
  EXPECT_EQ(module->binary(), bytes);
}

TEST(Decode, LocalsAndBounds) {
  auto module = MustDecode("(module (func (param i32) (local i64 i64 f32) nop))");
  const Body& body = module->bodies[0];
  EXPECT_EQ(body.locals,
            (std::vector<ValueType>{ValueType::kI64, ValueType::kI64, ValueType::kF32}));
  EXPECT_EQ(module->binary()[body.offset], 2);  // two runs of locals
  EXPECT_EQ(module->binary()[body.end_offset], 0x0b);
  EXPECT_EQ(body.end_offset + 1, module->binary().size());
  EXPECT_EQ(body.instructions[0].offset, body.offset + 5);
}

TEST(Decode, ControlRows) {
  auto module = MustDecode(R"((module (type (func (param i32) (result i64))) (func
      (block (result i32) (loop (br_if 1 (i32.const 1) (i32.const 2)) drop) (i32.const 3))
      i32.const 8 i32.const 6 if (type 0) drop i64.const -1 else drop i64.const 5 end drop
      (br_table 0 0 0 (i32.const 9)) return)))");
  const Body& body = module->bodies[0];
  EXPECT_EQ(Rows(body),
            (std::vector<std::string>{"block 0 0",     "loop 1 0",
                                      "i32.const 1 0", "i32.const 2 0",
                                      "br_if 1 0",     "drop 0 0",
                                      "end 0 0",       "i32.const 3 0",
                                      "end 0 0",       "i32.const 8 0",
                                      "i32.const 6 0", "if 2 0",
                                      "drop 0 0",      "i64.const 18446744073709551615 0",
                                      "else 0 0",      "drop 0 0",
                                      "i64.const 5 0", "end 0 0",
                                      "drop 0 0",      "i32.const 9 0",
                                      "br_table 0 0",  "return 0 0"}));
  ASSERT_EQ(body.block_types.size(), 3u);
  EXPECT_EQ(body.block_types[0].results, (std::vector<ValueType>{ValueType::kI32}));
  EXPECT_TRUE(body.block_types[1].results.empty());
  EXPECT_EQ(body.block_types[2].params, (std::vector<ValueType>{ValueType::kI32}));
  EXPECT_EQ(body.block_types[2].results, (std::vector<ValueType>{ValueType::kI64}));
  ASSERT_EQ(body.br_tables.size(), 1u);
  EXPECT_EQ(body.br_tables[0], (std::vector<uint32_t>{0, 0, 0}));
}

TEST(Decode, ImmediatesOfMemoryAndTables) {
  auto module = MustDecode(R"((module (memory 1) (table 1 funcref) (table 1 funcref)
      (type (func)) (data "x") (elem func 0) (global (mut i32) (i32.const 0)) (func (local i32)
      (i32.store16 offset=70000 (i32.const 0) (i32.load8_s offset=4294967295 (i32.const -1)))
      (call_indirect 1 (type 0) (i32.const 0))
      (table.copy 1 0 (i32.const 0) (i32.const 0) (i32.const 0))
      (table.init 1 0 (i32.const 0) (i32.const 0) (i32.const 0))
      (drop (ref.null extern)) (drop (select (result i64) (i64.const 1) (i64.const 2)
      (i32.const 3))) (global.set 0 (local.tee 0 (i32.const 4))))))");
  std::vector<std::string> rows;
  for (const std::string& row : Rows(module->bodies[0])) {
    if (row.find("const") == std::string::npos) rows.push_back(row);
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"i32.load8_s 4294967295 0", "i32.store16 70000 0",
                                            "call_indirect 0 1", "table.copy 1 0", "table.init 0 1",
                                            "ref.null 7 0", "drop 0 0", "select t 2 0", "drop 0 0",
                                            "local.tee 0 0", "global.set 0 0"}));
  EXPECT_EQ(module->bodies[0].instructions[1].imm, 0xffffffffu);  // i32.const -1, zero-extended
}

TEST(Decode, OffsetsAreThoseOfTheFirstByte) {
  auto module = MustDecode(R"((module (memory 1) (func (result f64)
      (memory.fill (i32.const 0) (i32.const 100000) (i32.const 5))
      (f64.promote_f32 (f32.load offset=9 (i32.trunc_sat_f64_u (f64.const 2)))))))");
  for (const Instruction& row : module->bodies[0].instructions) {
    const uint32_t code = FactsOf(row.opcode).code;
    uint8_t first = code > 0xff ? 0xfc : static_cast<uint8_t>(code);
    EXPECT_EQ(module->binary()[row.offset], first) << FactsOf(row.opcode).text;
  }
  // A prefixed operator whose code is written in five bytes.
  Bytes body = {0, 0x43, 0, 0, 0, 0, 0xfc, 0x80, 0x80, 0x80, 0x80, 0x00, 0x1a, 0x0b};
  auto overlong = MustDecode(BinaryBuilder().OneFunction(body).bytes());
  const Body& decoded = overlong->bodies[0];
  ASSERT_EQ(decoded.instructions.size(), 3u);
  EXPECT_EQ(decoded.instructions[1].opcode, Opcode::kI32TruncSatF32S);
  EXPECT_EQ(decoded.instructions[1].offset, decoded.offset + 6);
  EXPECT_EQ(decoded.instructions[2].offset, decoded.offset + 12);
}

TEST(Decode, CodeAfterABranchIsRecorded) {
  auto module = MustDecode("(module (func (block (br 0) (i32.add) (drop) (unreachable) (nop))))");
  EXPECT_EQ(module->bodies[0].instructions.size(), 7u);
}

TEST(Decode, ImmediatesOfVectors) {
  auto module = MustDecode(R"((module (memory 1)
      (func (v128.store16_lane offset=9 5 (i32.const 0) (v128.const i32x4 1 2 3 4)))
      (func (result v128) (i8x16.shuffle 31 1 2 3 4 5 6 7 8 9 10 11 12 13 14 16
        (v128.const i64x2 5 6) (i8x16.replace_lane 15 (v128.const i64x2 7 8) (i32.const 0))))
      (global v128 (v128.const i32x4 9 10 11 12))))");
  const Body& store = module->bodies[0];
  EXPECT_EQ(store.instructions[1].opcode, Opcode::kV128Const);
  EXPECT_EQ(store.vectors, (std::vector<V128>{{1, 2, 3, 4}}));
  EXPECT_EQ(store.instructions[2].opcode, Opcode::kV128Store16Lane);
  EXPECT_EQ(store.instructions[2].imm, 9u);
  EXPECT_EQ(store.instructions[2].imm2, 5u);
  const Body& shuffle = module->bodies[1];
  EXPECT_EQ(shuffle.instructions[3].opcode, Opcode::kI8x16ReplaceLane);
  EXPECT_EQ(shuffle.instructions[3].imm, 15u);
  EXPECT_EQ(shuffle.instructions[4].opcode, Opcode::kI8x16Shuffle);
  EXPECT_EQ(shuffle.vectors[shuffle.instructions[4].imm],
            (V128{0x0302011f, 0x07060504, 0x0b0a0908, 0x100e0d0c}));
  const Instruction& init = module->globals[0].init.instruction;
  EXPECT_EQ(init.opcode, Opcode::kV128Const);
  EXPECT_EQ(module->vectors[init.imm], (V128{9, 10, 11, 12}));
}

}  // namespace
}  // namespace wb::test
