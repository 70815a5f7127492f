// Which functions have a common start, and where it ends.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "compiler/link/module_starter.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr std::string_view kFillFunction = R"((func $fill (local $i i32)
    (loop $l
      (i32.store (i32.shl (local.get $i) (i32.const 2)) (local.get $i))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 99))))))";

std::string StartModule(const std::string& body, const std::string& more = "") {
  return "(module (memory 1 9) (table 3 funcref) (global $g (mut i32) (i32.const 0))\n  "
         "(type $t (func (param i32) (result i32)))\n  " +
         std::string(kFillFunction) + more +
         "\n  (func $f (export \"f\") (param $x i32) (result i32) (local $a i32) (local $b i32)\n" +
         body + "))";
}

std::vector<ir::Program::Start> StartsOf(const std::string& wat) {
  return MustLower(wat)->program.starts;
}

// The rows of `f` behind its start, of which all values are 7, as the compiler has them.
std::string RestOfText(const std::string& wat) {
  const auto lowered = MustLower(wat);
  const ir::Program& program = lowered->program;
  if (program.starts.empty()) return "no start";
  const ir::Program::Start& start = program.starts[0];
  StartPicture picture;
  picture.fuel = 1000;
  picture.values.assign(start.results.size(), 7);
  picture.globals.assign(program.globals_size, 5);
  const auto rest = RestOf(*program.module, {start.function, start.links, {}}, picture);
  const auto module = Lower(rest.value());
  if (!module.ok()) return module.status().ToString();
  return ir::Dump((*module)->program.function(start.function));
}

TEST(CommonStart, EndsWhereAParameterIsRead) {
  const std::string rest = RestOfText(StartModule(R"((call $fill)
    (i32.store (i32.const 8) (i32.const 1))
    (i32.store (i32.const 4) (local.get $x))
    (i32.load (i32.const 8)))"));
  EXPECT_EQ(rest, R"(function 1 bounded worst 1000
  pay 1000
  t9 = const 7
  t6 = copy t9
  i32.store t6 l0 0
  t7 = const 8
  t8 = i32.load t7 0
  t3 = copy t8
  -> t3
)");
}

TEST(CommonStart, IsNoneOfFunctionsThatDoLittle) {
  EXPECT_TRUE(
      StartsOf(StartModule("(i32.store (i32.const 4) (i32.const 5)) (local.get $x)")).empty());
  EXPECT_TRUE(StartsOf(StartModule("(i32.store (local.get $x) (i32.const 5)) (call $fill) "
                                   "(local.get $x)"))
                  .empty());
}

struct StartCase {
  const char* what;
  const char* body;  // in front of a loop
};
// Each ends the start before the loop that would make one of it.
constexpr StartCase kEnds[] = {
    {"a parameter in memory", "(i32.store (i32.const 0) (local.get $x))"},
    {"a parameter in a global", "(global.set $g (local.get $x))"},
    {"a parameter that is written", "(local.set $x (i32.const 4))"},
    {"a division by a parameter", "(local.set $a (i32.div_u (i32.const 4) (local.get $x)))"},
    {"a branch by a parameter",
     "(block $b (br_if $b (local.get $x)) (global.set $g (i32.const 1)))"},
    {"a parameter in a block",
     "(block $b (local.set $a (local.get $x)) (br_if $b (global.get $g)))"},
    {"memory that grows", "(drop (memory.grow (i32.const 1)))"},
    {"a table that changes", "(table.set 0 (i32.const 0) (ref.func $f))"},
    {"a callee that grows memory", "(drop (call $grow))"},
};

TEST(CommonStart, EndsBefore) {
  const std::string more = "(func $grow (result i32) (memory.grow (i32.const 1)))";
  for (const StartCase& one : kEnds) {
    EXPECT_TRUE(
        StartsOf(StartModule(one.body + std::string("(call $fill) (i32.const 1)"), more)).empty())
        << one.what;
  }
  EXPECT_EQ(StartsOf(StartModule("(call $fill) (i32.const 1)", more)).size(), 1u);
}

TEST(CommonStart, GoesOnBehindWhatCanWait) {
  const std::string rest = RestOfText(StartModule(R"(
    (local.set $a (i32.mul (local.get $x) (i32.const 3)))
    (call $fill)
    (local.set $b (i32.load (i32.const 12)))
    (i32.add (local.get $a) (local.get $b)))"));
  // The product stands behind the start; what was loaded is 7, as is the product's constant.
  EXPECT_EQ(rest, R"(function 1 bounded worst 1000
  pay 1000
  t9 = const 7
  t11 = copy t9
  t10 = const 7
  t4 = copy t10
  t5 = i32.mul l0 t4
  t12 = copy t5
  t8 = i32.add t12 t11
  t3 = copy t8
  -> t3
)");
  // What waits reads a local that changes meanwhile.
  EXPECT_TRUE(StartsOf(StartModule(R"((local.set $b (i32.const 3))
    (local.set $a (i32.mul (local.get $x) (local.get $b)))
    (local.set $b (i32.const 4))
    (call $fill) (local.get $a))"))
                  .empty());
}

TEST(CommonStart, GoesIntoACallee) {
  const std::string more = R"((func $deep (param $y i32) (param $n i32) (result i32)
    (call $fill) (i32.add (local.get $y) (local.get $n))))";
  const auto starts = StartsOf(StartModule("(call $deep (local.get $x) (i32.const 4))", more));
  ASSERT_EQ(starts.size(), 1u);
  ASSERT_EQ(starts[0].links.size(), 1u);
  EXPECT_EQ(starts[0].links[0].callee, 1u);
}

TEST(CommonStart, IsNoneOfFunctionsThatOthersCall) {
  const auto called = StartsOf(StartModule("(call $fill) (i32.const 1)",
                                           "(func (export \"g\") (drop (call $f (i32.const 1))))"));
  ASSERT_EQ(called.size(), 1u);
  EXPECT_EQ(called[0].function, 1u);  // that of "g", which goes into "f"
  EXPECT_TRUE(
      StartsOf(StartModule("(call $fill) (i32.const 1)", "(elem (i32.const 0) $f)")).empty());
}

// What is left behind a start may cost no stack.
TEST(CommonStart, IsNoneWhereTheFunctionTakesMuchStack) {
  const auto with = [](uint32_t locals) {
    std::string text = "(local";
    for (uint32_t i = 0; i < locals; ++i) text += " i64";
    return StartsOf(StartModule(text + ") (call $fill) (i32.const 1)"));
  };
  EXPECT_EQ(with(CommonStart::kMostStack - 20).size(), 1u);
  EXPECT_TRUE(with(CommonStart::kMostStack).empty());
}

// ... and are not asked about without end where many go into the same callee.
TEST(CommonStart, PassesTheRowsOfAProgramAFewTimes) {
  constexpr int kExports = 2000;
  std::string body;
  for (int i = 0; i < 4000; ++i) body += "(global.set $g (i32.const 1))";
  std::string more = "(func $deep (param i32) " + body + " (call $fill))";
  for (int i = 0; i < kExports; ++i) {
    const std::string name = "e" + std::to_string(i);
    more += "(func (export \"" + name + "\") (export \"" + name +
            "again\") (param i32) (call $deep (local.get 0)))";
  }
  const size_t found = StartsOf(StartModule("(i32.const 1)", more)).size();
  EXPECT_GT(found, 0u);
  EXPECT_LT(found, 40u);
}

// Blocks behind rows that wait cost no look at each of these: it would be 10^10 looks.
TEST(CommonStart, PassesManyBlocksBehindManyRowsThatWait) {
  std::string body;
  for (int i = 0; i < 100'000; ++i) body += "(local.set $a (i32.eqz (local.get $x)))";
  for (int i = 0; i < 100'000; ++i) body += "(block)";
  EXPECT_EQ(StartsOf(StartModule(body + "(call $fill) (local.get $a)")).size(), 1u);
}

TEST(CommonStart, DoesNotFitAnotherModule) {
  const auto lowered = MustLower(StartModule("(call $fill) (local.get $x)"));
  const ir::Program& program = lowered->program;
  const StartWish wish{program.starts.at(0).function, {}, {}};
  StartPicture picture;
  picture.globals.assign(program.globals_size, 0);
  EXPECT_TRUE(Lower(RestOf(*program.module, wish, picture).value()).ok());
  picture.values = {1};  // one too many
  const auto refused = Lower(RestOf(*program.module, wish, picture).value());
  EXPECT_EQ(refused.status().reason(), Reason::kWasmMalformed);
  const auto none = MustLower(StartModule("(local.get $x)"));
  EXPECT_EQ(Lower(BeginningOf(*none->program.module, {1, {}, {}}).value()).status().reason(),
            Reason::kWasmMalformed);
}

}  // namespace
}  // namespace wb::test
