// Modules with a common start as bytes: what is cut short or does not fit is refused.

#include "compiler/link/module_starter.h"

#include <gtest/gtest.h>

#include <memory>

#include "compiler/link/bundle.h"
#include "tests/compiler/link/linked_text.h"

namespace wb::test {
namespace {

constexpr std::string_view kModule = R"((module (memory 1)
  (data (i32.const 16) "bytes") (data $kept "held back")
  (global (mut i64) (i64.const 1)) (global (mut f32) (f32.const 2)) (global i32 (i32.const 3))
  (func $deep (param i32) (result i32) (local.get 0))
  (func (export "run") (param i32) (result i32) (call $deep (local.get 0)))
  (func (export "other"))))";

class ModuleStarterTest : public testing::Test {
 protected:
  ModuleStarterTest() {
    for (const Instruction& row : module_->bodies[1].instructions) {
      if (row.opcode == Opcode::kCall) wish_.links = {{0, row.offset}};
    }
    wish_.function = 1;
    picture_.fuel = 12'345;
    picture_.values = {uint64_t{1} << 40, 2};
    picture_.globals = {0x11, 0x22, 0x40000000, 9};
    picture_.memory = {{0, 65'532, {1, 2, 3, 4}}, {0, 0, {5, 0, 0, 0}}};
  }
  bool Fits() const { return RestOf(*module_, wish_, picture_).ok(); }

  const std::shared_ptr<const Module> module_ = DecodeText(kModule);
  StartWish wish_;
  StartPicture picture_;
};

TEST_F(ModuleStarterTest, SaysAllOfThePicture) {
  const auto rest = RestOf(*module_, wish_, picture_).value();
  const auto loaded = LoadModule(rest->binary()).value();
  for (const auto& module : {rest, loaded}) {
    ASSERT_TRUE(module->common_start);
    EXPECT_EQ(module->common_start->links, wish_.links);
    EXPECT_EQ(module->common_start->first_copy, 3u);
    EXPECT_EQ(module->common_start->fuel, 12'345u);
    EXPECT_EQ(module->common_start->values, picture_.values);
    EXPECT_EQ(module->functions.size(), 4u);
    EXPECT_EQ(module->exports.size(), 1u);  // the other one is not called
    EXPECT_EQ(module->globals[0].init.instruction.imm, 0x2200000011u);
    EXPECT_EQ(module->globals[1].init.instruction.imm, 0x40000000u);
    EXPECT_EQ(module->globals[2].init.instruction.imm, 3u);  // it never changes
    ASSERT_EQ(module->data.size(), 4u);
    EXPECT_TRUE(module->data[0].bytes.empty());
    EXPECT_EQ(module->data[1].bytes.size(), 9u);
    EXPECT_EQ(module->data[2].offset.instruction.imm, 65'532u);
  }
  EXPECT_EQ(loaded->digest(), rest->digest());
  EXPECT_NE(rest->digest(), module_->digest());
}

TEST_F(ModuleStarterTest, KeepsExportsThatAreCalled) {
  wish_.also = {2};
  EXPECT_EQ(RestOf(*module_, wish_, picture_).value()->exports.size(), 2u);
}

TEST_F(ModuleStarterTest, RefusesWhatIsNotWhole) {
  const Bytes whole = RestOf(*module_, wish_, picture_).value()->binary();
  ASSERT_TRUE(LoadModule(whole).ok());
  for (size_t bytes = 8; bytes < whole.size(); ++bytes) {
    const auto refused = LoadModule(ByteView(whole).first(bytes));
    ASSERT_EQ(refused.status().reason(), Reason::kWasmMalformed) << bytes;
  }
  Bytes longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(LoadModule(longer).ok());
}

TEST_F(ModuleStarterTest, RefusesWhatDoesNotFit) {
  ASSERT_TRUE(Fits());
  const StartPicture picture = picture_;
  picture_.memory[0].address = 65'533;
  EXPECT_FALSE(Fits());
  picture_ = picture;
  picture_.memory[0].memory = 1;
  EXPECT_FALSE(Fits());
  picture_ = picture;
  picture_.globals.pop_back();
  EXPECT_FALSE(Fits());
  picture_ = picture;
  const StartWish wish = wish_;
  wish_.function = 3;
  EXPECT_FALSE(Fits());
  wish_ = wish;
  wish_.links[0].callee = 2;
  EXPECT_FALSE(Fits());
  wish_ = wish;
  ++wish_.links[0].offset;
  EXPECT_FALSE(Fits());
}

// One start is not derived from another.
TEST_F(ModuleStarterTest, RefusesAStartOfAStart) {
  const auto rest = RestOf(*module_, wish_, picture_).value();
  EXPECT_FALSE(BeginningOf(*rest, wish_).ok());
}

}  // namespace
}  // namespace wb::test
