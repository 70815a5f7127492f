// Random functions with many accesses one behind the other (random_runs.h) give the same records,
// word for word, on the cpu device in both layouts and in the interpreter: whole, in slices, and
// with fuel that ends at any row. Each test at the head of a run is needed: without it some record
// differs.
//
// More than the usual few: WB_RANDOM_MODULES=100 WB_RANDOM_SEED=1000 wb_counted_loops_tests

#include <gtest/gtest.h>

#include <regex>

#include "tests/compiler/emit/engines_under_test.h"
#include "tests/compiler/emit/random_runs.h"

namespace wb::test {
namespace {

constexpr uint32_t kRunFunctions = 30;
constexpr uint32_t kEndingFuels = 4;  // of each function, chosen
constexpr uint32_t kMostEndingFuel = 300;

struct RunWay {
  uint64_t fuel;
  uint32_t slice;
};
constexpr RunWay kRunWays[] = {{20'000, 0}, {20'000, 1}, {20'000, 25}, {400, 7}};

std::string NameOfRun(size_t function) { return "f" + std::to_string(function); }

// A module of random runs, and what the interpreter makes of it: by function and way.
struct Runs {
  explicit Runs(uint64_t seed) {
    Choices choices(seed);
    module = LoweredOf(MakeRandomRuns(choices, kRunFunctions));
    LanesUnderTest interpreter = OnInterpreter(module);
    for (uint32_t i = 0; i < kRunFunctions; ++i) {
      std::vector<RunWay> ways(std::begin(kRunWays), std::end(kRunWays));
      for (uint32_t k = 0; k < kEndingFuels; ++k) {
        ways.push_back({1 + choices.Below(kMostEndingFuel), k % 2});
      }
      for (const RunWay& way : ways) wanted.push_back(*interpreter.Run(NameOfRun(i), 0, way.fuel));
      ways_of.push_back(std::move(ways));
    }
  }

  // How these lanes differ, by function and way; empty: in nothing.
  std::string Compare(LanesUnderTest& lanes) const {
    size_t at = 0;
    for (size_t i = 0; i < ways_of.size(); ++i) {
      for (const RunWay& way : ways_of[i]) {
        const auto run = lanes.Run(NameOfRun(i), way.slice, way.fuel);
        const std::string difference =
            run.ok() ? Difference(wanted[at++], *run) : run.status().ToString();
        if (!difference.empty()) {
          return NameOfRun(i) + " fuel " + std::to_string(way.fuel) + " slice " +
                 std::to_string(way.slice) + ": " + difference;
        }
      }
    }
    return "";
  }

  std::shared_ptr<const LoweredModule> module;
  std::vector<std::vector<RunWay>> ways_of;
  std::vector<LaneRun> wanted;
};

struct RunCounts {
  uint32_t functions = 0, runs = 0, slots = 0, constructs = 0;
};

void Count(const LoweredModule& module, RunCounts* counts) {
  for (const ir::Function& function : module.program.functions) {
    ++counts->functions;
    for (const ir::StraightRun& run : function.straight_runs) {
      ++counts->runs;
      counts->slots += run.round.slots.empty() ? 0 : 1;
      for (uint32_t row = run.begin; row < run.end; ++row) {
        counts->constructs += function.insts[row].op == ir::Op::kEnd ? 1 : 0;
      }
    }
  }
}

TEST(StraightRuns, EveryEngineAndEverySliceAgree) {
  const uint64_t first = WantedNumber("WB_RANDOM_SEED", 1);
  const uint64_t modules = WantedNumber("WB_RANDOM_MODULES", 2);
  RunCounts counts;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const Runs runs(seed);
    Count(*runs.module, &counts);
    ASSERT_EQ(DifferenceOnEngines(runs.module,
                                  [&](LanesUnderTest& lanes) { return runs.Compare(lanes); }),
              "");
  }
  // The generator is worth little if few of its functions have runs, or runs are all alike.
  EXPECT_GT(4 * counts.runs, counts.functions);
  EXPECT_GT(4 * counts.slots, counts.runs);
  EXPECT_GT(counts.constructs, counts.runs / 8);
}

// A run that shows when a test at its head, or a part of one, is left out of the text. What wraps
// round 2^32 would end the process.
struct LeftOutOfRun {
  const char* what;
  const char* pattern;
  const char* instead;
  // With $fp the frame, $few 0, 4 or 8, of which only the low bits are known, $p and $i; $s is the
  // result.
  std::string run;
};

// So many words, from this one on, added to $s.
std::string Loads(const std::string& pointer, uint32_t count, uint32_t from = 0) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    text += "(local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) (i32.load offset=" +
            std::to_string(from + 4 * i) + " (local.get " + pointer + "))))\n";
  }
  return text;
}
std::string Repeated(const std::string& piece, uint32_t times) {
  std::string text;
  for (uint32_t i = 0; i < times; ++i) text += piece;
  return text;
}

const std::vector<LeftOutOfRun>& AllLeftOut() {
  static const std::vector<LeftOutOfRun> kAll = {
      {"the end of memory", R"(\(ulong\)from \+ span <= size;)",
       "(ulong)from + span <= size + 65536ul;",
       "(local.set $p (i32.add (i32.const 65504) (local.get $few)))" + Loads("$p", 8)},
      {"the end of the last access", R"(wb_inside\(65536ul, (a\d+_\d+), \d+ul\))",
       "wb_inside(65536ul, $1, 4ul)",
       "(local.set $p (i32.add (i32.const 65504) (local.get $few)))" + Loads("$p", 8)},
      {"alignment", R"( && \(a\d+_\d+ & 3u\) == 0u)", "",
       "(local.set $p (i32.rem_s (i32.and (local.get $x) (i32.const 15)) (i32.const 3)))" +
           Loads("$p", 8)},
      {"words apart", R"(return \(ulong\)a \+ bytes_a <= \(ulong\)b \|\|)", "return true ||",
       "(local.set $p (i32.sub (local.get $fp) (i32.and (local.get $x) (i32.const 12))))" +
           Repeated("(i32.store offset=4 (local.get $fp) (i32.add (local.get $s) (i32.const 5)))" +
                        Loads("$p", 4),
                    2)},
      {"words of two arrays apart", R"( && wb_apart\(a\d+_1 [^)]*\))", "",
       "(local.set $p (i32.sub (local.get $fp) (i32.and (local.get $x) (i32.const 12))))" +
           Repeated("(i32.store8 offset=8 (local.get $fp) (local.get $s))"
                    "(i32.store (local.get $fp) (local.get $s))" +
                        Loads("$p", 1, 8),
                    4)},
      {"words go back", R"(wb_word_put\(P\d+_\d+, \d+ul, q\d+_\d+_\d+\);)", "",
       Repeated("(i32.store offset=4 (local.get $fp) (i32.add (local.get $s) (i32.const 5)))" +
                    Loads("$fp", 2),
                4)},
      {"what a run wrote", R"(D = D \| wb_spans_of\(a\d+_\d+, [^\n]*)", "",
       "(local.set $p (local.get $few))" + Loads("$p", 8) +
           R"((i32.store offset=8 (local.get $p) (local.get $x))
              (local.set $i (i32.const 0))
              (loop $l
                (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
                (br_if $l
                  (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
  };
  return kAll;
}

// One export for each of them; the frame lies at 448, in front of some data.
std::string ModuleOfRuns() {
  std::string text = R"((module (memory 1 2) (global $sp (mut i32) (i32.const 512))
    (data (i32.const 0) "a straight run reads these bytes, at odd addresses too, and sums them up")
    (data (i32.const 440) "the frame and the words before and behind it begin with these bytes......"))";
  for (size_t i = 0; i < AllLeftOut().size(); ++i) {
    const std::string number = std::to_string(i);
    text += "(func $g" + number + R"( (param $x i32) (result i32)
      (local $i i32) (local $p i32) (local $s i32) (local $fp i32) (local $few i32)
      (local.set $few (i32.mul (i32.rem_s (i32.and (local.get $x) (i32.const 15)) (i32.const 3)) (i32.const 4)))
      (local.set $fp (i32.sub (global.get $sp) (i32.const 64)))
      (global.set $sp (local.get $fp)))" +
            AllLeftOut()[i].run + R"(
      (global.set $sp (i32.add (local.get $fp) (i32.const 64)))
      (local.get $s))
      (func (export "f)" +
            number + R"(") (param i32 i64 f32 f64) (result i32 i64)
        (call $g)" +
            number + " (local.get 0)) (i64.const 0))";
  }
  return text + ")";
}

TEST(StraightRuns, EachTestAtTheirHeadIsNeeded) {
  const auto module = LoweredOf(ModuleOfRuns());
  LanesUnderTest interpreter = OnInterpreter(module);
  // Where memory is contiguous an address may be odd.
  LanesUnderTest whole = OnCpu(module, MemoryLayout::kInterleaved);
  for (size_t i = 0; i < AllLeftOut().size(); ++i) {
    const LeftOutOfRun& left_out = AllLeftOut()[i];
    SCOPED_TRACE(left_out.what);
    bool changed = false;
    LanesUnderTest without = OnCpuWith(
        [&](std::string& text) {
          const std::string less =
              std::regex_replace(text, std::regex(left_out.pattern), left_out.instead);
          changed = less != text;
          text = less;
        },
        module, MemoryLayout::kInterleaved);
    EXPECT_TRUE(changed) << "no text has this test";
    bool differs = false;
    for (const RunWay& way : kRunWays) {
      const auto wanted = interpreter.Run(NameOfRun(i), 0, way.fuel);
      const auto run = whole.Run(NameOfRun(i), way.slice, way.fuel);
      const auto less = without.Run(NameOfRun(i), way.slice, way.fuel);
      ASSERT_TRUE(wanted.ok() && run.ok() && less.ok());
      EXPECT_EQ(Difference(*wanted, *run), "");
      differs = differs || !Difference(*wanted, *less).empty();
    }
    EXPECT_TRUE(differs);
  }
}

}  // namespace
}  // namespace wb::test
