// Loads from a text's copy of data (compiler/docs/read_only_data.md): whatever writes to the data,
// in whichever way and in whichever function, loads find it on every engine, and each note of
// writes is needed for that.

#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>
#include <utility>

#include "tests/compiler/emit/engines_under_test.h"

namespace wb::test {
namespace {

// Whole; with little fuel, and slices that leave at most safepoints; and in longer slices.
struct Way {
  uint64_t fuel;
  uint32_t slice;
};
constexpr Way kWays[] = {{20'000, 0}, {700, 1}, {5'000, 41}};

// A table of 256 bytes from byte 4096 on, of which $look adds up some. `f` looks, writes through a
// pointer of which nothing is known, as `writes` says, and looks again. The pointer comes to the
// table or near it.
std::string Module(const std::string& writes, const std::string& more = "") {
  std::string table;
  for (int i = 0; i < 8; ++i) table += "thirty-two bytes of data, and 32";
  return R"((module (memory 1 4) (data (i32.const 4096) ")" + table + R"(")
  (data $late "held back until it is asked for")
  (func $sum (param $x i32) (result i32) (local $i i32) (local $s i32)
    (loop $l
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) (i32.add
        (i32.load8_s (i32.add (i32.const 4096) (i32.and (i32.mul (local.get $x) (i32.const 37)) (i32.const 255))))
        (i32.load16_u offset=4096 (i32.and (local.get $x) (i32.const 254))))))
      (local.set $s (i32.xor (local.get $s) (i32.wrap_i64 (i64.add
        (i64.load offset=4096 (i32.and (local.get $x) (i32.const 248)))
        (i64.load32_s offset=4100 (i32.and (local.get $x) (i32.const 248)))))))
      (local.set $x (i32.add (local.get $x) (i32.const 1)))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 9))))
    (local.get $s))
  (func $store (param $at i32) (i32.store8 (local.get $at) (i32.const 77))))" +
         more + R"(
  (func (export "f") (param $x i32) (param $y i64) (param $g f32) (param $z f64) (result i32)
    (local $at i32) (local $s i32) (local $i i32)
    (i32.store (i32.const 16) (i32.add (i32.const 4060) (i32.mul (i32.and (local.get $x) (i32.const 31)) (i32.const 9))))
    (local.set $at (i32.load (i32.const 16)))
    (local.set $s (call $sum (local.get $x))))" +
         writes + R"(
    (i32.store (i32.const 8) (local.get $s))
    (i32.add (local.get $s) (call $sum (i32.sub (local.get $at) (i32.const 4096)))))))";
}

const std::pair<const char*, const char*> kWrites[] = {
    {"nothing", ""},
    {"a byte", "(i32.store8 (local.get $at) (i32.const 77))"},
    {"two that one note serves",
     "(i32.store8 (local.get $at) (i32.const 77)) (i32.store8 offset=40 (local.get $at) (i32.const "
     "7))"},
    {"behind bytes that are known",
     "(i32.store8 (i32.const 4095) (i32.const 1)) (i64.store align=1 (local.get $at) (i64.const "
     "-2))"},
    {"a callee", "(call $store (local.get $at))"},
    {"a fill",
     "(memory.fill (local.get $at) (i32.const 9) (i32.and (local.get $x) (i32.const 63)))"},
    {"a copy", "(memory.copy (local.get $at) (i32.const 4097) (i32.const 50))"},
    {"a copy of nothing", "(memory.copy (local.get $at) (i32.const 4097) (i32.const 0))"},
    {"a segment", "(memory.init $late (local.get $at) (i32.const 3) (i32.const 20))"},
    {"a counted loop", R"((loop $l
      (i32.store8 (i32.add (local.get $at) (local.get $i)) (local.get $i))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 13)))))"},
    {"a loop that reads what it wrote", R"((loop $l
      (i32.store8 (i32.add (local.get $at) (local.get $i)) (i32.const 99))
      (local.set $s (i32.add (local.get $s) (i32.load8_u offset=4096 (i32.and (local.get $s) (i32.const 255)))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.and (local.get $x) (i32.const 15))))))"},
    {"a counted loop that reads what it wrote", R"((loop $l
      (i32.store8 (i32.add (local.get $at) (local.get $i)) (i32.const 99))
      (local.set $s (i32.add (local.get $s) (i32.load8_u offset=4096 (i32.and (local.get $s) (i32.const 255)))))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 30)))))"},
    {"a counted loop that reads what it wrote where memory says", R"((loop $l
      (i32.store8 (i32.add (i32.load (i32.const 16)) (i32.and (local.get $s) (i32.const 7))) (local.get $i))
      (local.set $s (i32.add (local.get $s) (i32.load8_u offset=4096 (i32.and (local.get $s) (i32.const 255)))))
      (local.set $s (i32.add (local.get $s) (i32.load8_u (i32.add (local.get $at) (local.get $i)))))
      (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 30)))))"},
    {"a vector", "(v128.store (local.get $at) (v128.const i32x4 1 2 3 4))"},
};

void Compare(LanesUnderTest& interpreter, LanesUnderTest& lanes) {
  for (const Way& way : kWays) {
    const auto wanted = interpreter.Run("f", 0, way.fuel);
    const auto run = lanes.Run("f", way.slice, way.fuel);
    ASSERT_TRUE(wanted.ok()) << wanted.status().ToString();
    ASSERT_TRUE(run.ok()) << run.status().ToString();
    EXPECT_EQ(Difference(*wanted, *run), "") << "slice " << way.slice;
  }
}

TEST(ReadOnlyData, IsAsItWasWrittenOnEveryEngine) {
  for (const auto& [name, writes] : kWrites) {
    SCOPED_TRACE(name);
    const auto module = LoweredOf(Module(writes));
    ASSERT_EQ(module->program.read_only.from(), 4096u);
    ASSERT_EQ(module->program.read_only.end(), 4352u);
    LanesUnderTest interpreter = OnInterpreter(module);
    const std::string difference = DifferenceOnEngines(module, [&](LanesUnderTest& lanes) {
      Compare(interpreter, lanes);
      return testing::Test::HasFailure() ? std::string("see above") : std::string();
    });
    ASSERT_EQ(difference, "");
  }
}

// Without this line, or these, of its text a module comes to other results.
void ExpectNeeded(const std::string& writes, const std::string& line,
                  const std::string& otherwise) {
  SCOPED_TRACE(line);
  const auto module = LoweredOf(Module(writes));
  bool changed = false;
  LanesUnderTest interpreter = OnInterpreter(module);
  LanesUnderTest without = OnCpuWith(
      [&](std::string& text) {
        const std::string less = std::regex_replace(text, std::regex(line), otherwise);
        changed = less != text;
        text = less;
      },
      module, MemoryLayout::kInterleaved);
  EXPECT_TRUE(changed);
  const auto wanted = interpreter.Run("f", 0, 20'000);
  const auto run = without.Run("f", 0, 20'000);
  ASSERT_TRUE(wanted.ok() && run.ok());
  EXPECT_NE(Difference(*wanted, *run), "");
}

TEST(ReadOnlyData, EachNoteOfWritesIsNeeded) {
  ExpectNeeded(kWrites[1].second, R"(W = W \| wb_is_in\([^;]*;)", "");
  ExpectNeeded(kWrites[5].second, R"(W = W \| wb_touches\([^;]*;)", "");
  ExpectNeeded(kWrites[9].second, R"(W = W \| wb_touches\([^;]*;)", "");
  // A caller says it before it calls, and a callee behind its rows.
  ExpectNeeded(kWrites[1].second, R"(wb_note_data\(L, W\);)", "");
  ExpectNeeded(kWrites[4].second, R"(wb_note_data\(L, W\);)", "");
  ExpectNeeded(kWrites[4].second, R"(uint W = wb_data_written\(L\);)", "uint W = 0u;");
  // A note in front of the data serves stores to these.
  std::string several = "(i32.store8 (local.get $at) (i32.const 77))";
  for (const int offset : {36, 52, 68, 84, 100}) {
    several += "(v128.store offset=" + std::to_string(offset) +
               " (local.get $at) (v128.const i32x4 1 2 3 4))";
  }
  ExpectNeeded(several, R"(wb_is_in\(([^,]*), \d+u, \d+u\))", "wb_is_in($1, 4096u, 256u)");
}

// Loops whose own stores are noted before their first round ask once, others in each row.
TEST(ReadOnlyData, LoopsAskWhetherTheCopyHolds) {
  ExpectNeeded(kWrites[11].second, R"(if \(wb_copies_hold\(W\)\))", "if (true)");
  ExpectNeeded(kWrites[12].second, R"(wb_reads_copy\(W\))", "true");
  const auto text = EmitKernel(*LoweredOf(Module(kWrites[12].second)), {}).value().text;
  EXPECT_EQ(text.find("if (wb_copies_hold(W))"), std::string::npos);
}

// What a callee has written is there when it comes back.
TEST(ReadOnlyData, IsReadAnewBehindACall) {
  const std::string writes = R"((call $store (local.get $at))
    (loop $l
      (local.set $s (i32.add (local.get $s) (i32.load8_u offset=4096 (i32.and (local.get $s) (i32.const 255)))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 200)))))";
  ExpectNeeded(writes, R"(W = W \| wb_data_written\(L\);)", "");
}

// Trees in memory, which loops fill and others descend: all addresses have bounds by the loops'
// ends alone.
TEST(ReadOnlyData, BoundsOfLoopsAreThoseOfEveryEngine) {
  const auto module = LoweredOf(R"((module (memory 1 4)
  (func (export "f") (param $x i32) (param i64 f32 f64) (result i32)
    (local $tree i32) (local $node i32) (local $at i32) (local $sum i32)
    (local.set $tree (i32.const 0))
    (loop $fill_trees
      (local.set $node (i32.const 0))
      (loop $fill
        (local.set $at (i32.add (i32.shl (local.get $tree) (i32.const 8)) (i32.shl (local.get $node) (i32.const 1))))
        (i32.store8 offset=1024 (local.get $at) (i32.mul (local.get $at) (i32.const 37)))
        (i32.store8 offset=1025 (local.get $at) (i32.mul (local.get $node) (i32.const 91)))
        (br_if $fill (i32.ne (local.tee $node (i32.add (local.get $node) (i32.const 1))) (i32.const 128))))
      (br_if $fill_trees (i32.ne (local.tee $tree (i32.add (local.get $tree) (i32.const 1))) (i32.const 4))))
    (local.set $node (i32.const 15))
    (loop $sample
      (i32.store8 offset=5119 (local.get $node) (i32.rotl (local.get $x) (local.get $node)))
      (br_if $sample (local.tee $node (i32.sub (local.get $node) (i32.const 1)))))
    (local.set $tree (i32.const 0))
    (loop $trees
      (local.set $node (i32.const 1))
      (loop $descend
        (local.set $at (i32.add (i32.shl (local.get $tree) (i32.const 8)) (i32.shl (local.get $node) (i32.const 1))))
        (local.set $node (i32.or (i32.shl (local.get $node) (i32.const 1)) (i32.gt_u
          (i32.load8_u offset=5120 (i32.and (i32.load8_u offset=1024 (local.get $at)) (i32.const 15)))
          (i32.load8_u offset=1025 (local.get $at)))))
        (br_if $descend (i32.lt_u (local.get $node) (i32.const 128))))
      (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $node)))
      (br_if $trees (i32.ne (local.tee $tree (i32.add (local.get $tree) (i32.const 1))) (i32.const 4))))
    (local.get $sum))))");
  const ir::Function& function = module->program.functions[0];
  EXPECT_EQ(function.ranges.size(), 6u);
  LanesUnderTest interpreter = OnInterpreter(module);
  EXPECT_EQ(DifferenceOnEngines(module,
                                [&](LanesUnderTest& lanes) {
                                  Compare(interpreter, lanes);
                                  return testing::Test::HasFailure() ? std::string("see above")
                                                                     : std::string();
                                }),
            "");
}

}  // namespace
}  // namespace wb::test
