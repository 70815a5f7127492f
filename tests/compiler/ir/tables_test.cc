// Tables, references and segments: where they lie, what calls through tables may reach.

#include <gtest/gtest.h>

#include "compiler/passes/place_state.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

// Five functions of one type and one of another, all but the last address-taken.
constexpr const char* kFunctions = R"(
    (type $t (func (param i32) (result i32)))
    (func $a (type $t) local.get 0) (func $b (type $t) local.get 0)
    (func $c (type $t) local.get 0) (func $d (type $t) local.get 0)
    (func $e (type $t) (loop (br_if 0 (local.get 0))) local.get 0)
    (func $x (param f64)) (func $untaken (type $t) local.get 0))";

std::shared_ptr<const LoweredModule> With(const std::string& fields) {
  return MustLower("(module" + std::string(kFunctions) + fields + ")");
}

TEST(TablesTest, EqualTypesHaveNumbersInARow) {
  const auto lowered = With("(table 9 funcref) (elem (i32.const 2) func $x $e $c $a $b $d)");
  EXPECT_EQ(lowered->program.callee_numbers, (std::vector<uint32_t>{1, 2, 3, 4, 5, 6, 0}));
  const ir::Table& table = lowered->program.tables[0];
  EXPECT_EQ(table.elements, (std::vector<uint32_t>{0, 0, 6, 5, 3, 1, 2, 4}));
  EXPECT_TRUE(table.has_null);
  EXPECT_FALSE(table.in_lane);
}

TEST(TablesTest, FewCalleesAreCalledDirectlyManyByATrampoline) {
  const auto few = With(R"((table 2 funcref) (elem (i32.const 0) func $a $e)
    (func (call_indirect (type $t) (i32.const 0) (i32.const 1)) drop))");
  EXPECT_EQ(few->program.lookups[0].callees, (std::vector<uint32_t>{0, 4}));
  EXPECT_EQ(few->program.lookups[0].trampoline, ir::kNoFunction);
  EXPECT_EQ(few->program.functions.size(), 8u);
  const auto many = With(R"((table 5 funcref) (elem (i32.const 0) func $a $b $c $d $e)
    (func (call_indirect (type $t) (i32.const 0) (i32.const 1)) drop)
    (func (call_indirect (type $t) (i32.const 0) (i32.const 1)) drop))");
  ASSERT_EQ(many->program.lookups.size(), 1u);
  ASSERT_EQ(many->program.functions.size(), 10u);
  const ir::Function& trampoline = many->program.functions.back();
  EXPECT_TRUE(trampoline.synthetic);
  EXPECT_EQ(trampoline.index, many->program.lookups[0].trampoline);
  EXPECT_EQ(trampoline.calls.size(), 5u);
  EXPECT_FALSE(trampoline.bounded);  // $e may leave
  EXPECT_EQ(trampoline.safepoints, 1u);
  EXPECT_EQ(trampoline.stack_slots, 0u);
  EXPECT_EQ(many->program.functions[8].calls[0].callee, trampoline.index);
}

TEST(TablesTest, TrampolinesOfBoundedCalleesAreBounded) {
  const auto lowered = MustLower(R"((module (table 5 funcref)
    (elem (i32.const 0) func 0 1 2 3 4)
    (func) (func nop) (func (drop (i32.const 1))) (func) (func)
    (func (export "run") (call_indirect (i32.const 1)))))");
  const ir::Function& trampoline = lowered->program.functions.back();
  EXPECT_TRUE(trampoline.synthetic && trampoline.bounded);
  EXPECT_EQ(trampoline.worst_cost, 1u);
  EXPECT_TRUE(lowered->program.functions[5].bounded);
}

// A table that changes may hold every function of the type whose address is taken anywhere.
TEST(TablesTest, CalleesOfATableThatChanges) {
  const auto lowered = With(R"((table $one 2 funcref) (table $two 2 funcref)
    (elem (table $one) (i32.const 0) func $a) (elem declare func $b $x)
    (func (table.set $one (i32.const 0) (ref.func $b)) (table.set $two (i32.const 0) (ref.func $b))
      (drop (call_indirect $one (type $t) (i32.const 0) (i32.const 1)))
      (drop (call_indirect $two (type $t) (i32.const 0) (i32.const 1)))))");
  ASSERT_EQ(lowered->program.lookups.size(), 1u);
  EXPECT_EQ(lowered->program.lookups[0].callees, (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE(lowered->program.lookups[0].others);
}

TEST(TablesTest, PlacesInTheLane) {
  const auto lowered = MustLower(R"((module
    (table $fixed 3 funcref) (table $grows 2 externref) (table $bounded 5 7 funcref)
    (elem (table $bounded) (i32.const 1) func 0) (elem $passive func 0) (data $bytes "abc")
    (global i64 (i64.const 7)) (global externref (ref.null extern)) (global funcref (ref.func 0))
    (func (drop (table.grow $grows (ref.null extern) (i32.const 1)))
      (drop (table.grow $bounded (ref.null func) (i32.const 1)))
      (elem.drop $passive) (data.drop $bytes))))");
  const ir::Program& program = lowered->program;
  // 64 bits, two references, two flags, two sizes.
  EXPECT_EQ(program.image.globals, (std::vector<uint32_t>{7, 0, 0, 1, 0, 0, 2, 5}));
  EXPECT_EQ(program.data[0].dropped_global, 3u);
  EXPECT_EQ(program.elements[1].dropped_global, 4u);
  EXPECT_FALSE(program.tables[0].in_lane);
  EXPECT_EQ(program.tables[1].size_global, 5u);
  EXPECT_EQ(program.tables[1].at, 8u);
  EXPECT_EQ(program.tables[1].capacity, kMaxGrownElements);
  EXPECT_EQ(program.tables[2].at, 8 + kMaxGrownElements);
  EXPECT_EQ(program.tables[2].capacity, 7u);
  EXPECT_EQ(program.tables_size, kMaxGrownElements + 7);
  const std::vector<uint32_t> words = EncodeImage(*lowered);
  EXPECT_EQ(words[abi::IMAGE_TABLES], 2u);
  EXPECT_EQ(std::vector<uint32_t>(words.begin() + 16, words.end()),
            (std::vector<uint32_t>{8, 2, 0, 8 + kMaxGrownElements, 5, 2, 0, 1}));
}

TEST(TablesTest, ElementsOutOfBoundsTrapBeforeData) {
  const auto lowered = MustLower(R"((module (table 2 funcref) (memory 1)
    (data (i32.const 0) "x") (elem (i32.const 0) func 0) (elem (i32.const 1) func 0 0) (func)))");
  const ir::Image& image = lowered->program.image;
  EXPECT_EQ(image.trap, Trap::kOutOfBoundsTable);
  EXPECT_EQ(image.trap_offset, lowered->program.module->elements[1].file_offset);
  EXPECT_EQ(lowered->program.tables[0].elements, std::vector<uint32_t>{1});
  EXPECT_TRUE(image.memory.empty());
}

TEST(TablesTest, RowsNameTheirTablesAndSegments) {
  const auto lowered = MustLower(R"((module (type $t (func)) (table 3 funcref) (table 4 funcref)
    (elem $none func) (elem $one func 0) (elem (table 1) (i32.const 0) func 0)
    (func (export "f") (table.copy 1 0 (i32.const 0) (i32.const 0) (i32.const 2))
      (table.init 1 $one (i32.const 0) (i32.const 0) (i32.const 1))
      (call_indirect 1 (type $t) (i32.const 0)))))");
  const ir::Function& function = lowered->program.functions[0];
  ASSERT_EQ(function.table_copies.size(), 1u);
  EXPECT_EQ(function.table_copies[0].to, 1u);
  EXPECT_EQ(function.table_copies[0].from, 0u);
  ASSERT_EQ(function.table_inits.size(), 1u);
  EXPECT_EQ(function.table_inits[0].table, 1u);
  EXPECT_EQ(function.table_inits[0].segment, 1u);
  ASSERT_EQ(function.table_lookups.size(), 1u);
  EXPECT_EQ(function.table_lookups[0].table, 1u);
  const std::string text = ir::Dump(function);
  EXPECT_NE(text.find(" 1 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("table.lookup"), std::string::npos) << text;
}

TEST(TablesTest, BulkOperatorsOfAShortConstantLengthAreBounded) {
  const std::string head =
      "(module (table 9 funcref) (func (table.fill 0 (i32.const 0) "
      "(ref.null func) (i32.const ";
  EXPECT_TRUE(MustLower(head + "1024))))")->program.functions[0].bounded);
  EXPECT_FALSE(MustLower(head + "1025))))")->program.functions[0].bounded);
}

}  // namespace
}  // namespace wb::test
