// Random loops that are counted (random_loops.h) give the same records, word for word, on the cpu
// device in both layouts and in the interpreter, whole and in slices that leave in every round.
// Each test that stands before a counted loop is needed: without it some record differs.
//
// More than the usual few: WB_RANDOM_MODULES=100 WB_RANDOM_SEED=1000 wb_counted_loops_tests

#include <gtest/gtest.h>

#include <regex>

#include "tests/compiler/emit/engines_under_test.h"
#include "tests/compiler/emit/random_loops.h"

namespace wb::test {
namespace {

constexpr uint32_t kLoopFunctions = 40;
// Whole; with fuel that ends in most loops, and slices that leave in most rounds; and slices such
// that a loop is left and then goes on in one piece.
struct Way {
  uint64_t fuel;
  uint32_t slice;
};
constexpr Way kWays[] = {{20'000, 0}, {400, 1}, {20'000, 25}};

// A module of random loops, and what the interpreter makes of it: by function and way.
struct Loops {
  explicit Loops(uint64_t seed) {
    Choices choices(seed);
    module = LoweredOf(MakeRandomLoops(choices, kLoopFunctions));
    LanesUnderTest interpreter = OnInterpreter(module);
    for (uint32_t i = 0; i < kLoopFunctions; ++i) {
      for (const Way& way : kWays) wanted.push_back(*interpreter.Run(NameOf(i), 0, way.fuel));
    }
  }
  static std::string NameOf(uint32_t function) { return "f" + std::to_string(function); }

  // How these lanes differ, by function and way; empty: in nothing.
  std::string Compare(LanesUnderTest& lanes) const {
    for (uint32_t i = 0; i < kLoopFunctions; ++i) {
      for (size_t way = 0; way < std::size(kWays); ++way) {
        const auto run = lanes.Run(NameOf(i), kWays[way].slice, kWays[way].fuel);
        const std::string difference = run.ok()
                                           ? Difference(wanted[i * std::size(kWays) + way], *run)
                                           : run.status().ToString();
        if (!difference.empty()) return NameOf(i) + " " + std::to_string(way) + ": " + difference;
      }
    }
    return "";
  }

  std::shared_ptr<const LoweredModule> module;
  std::vector<LaneRun> wanted;
};

struct LoopCounts {
  uint32_t loops = 0, counted = 0, known = 0, slots = 0, any_nan = 0, data = 0, nests = 0;
};

void Count(const LoweredModule& module, LoopCounts* counts) {
  for (const ir::Function& function : module.program.functions) {
    for (const ir::Construct& construct : function.constructs) {
      counts->loops += construct.kind == ir::ConstructKind::kLoop ? 1 : 0;
    }
    for (const ir::CountedLoop& loop : function.counted_loops) {
      ++counts->counted;
      counts->known += loop.rounds != 0 ? 1 : 0;
      counts->slots += loop.slots.empty() ? 0 : 1;
      for (const ir::LoopSlot& slot : loop.slots) counts->any_nan += slot.any_nan ? 1 : 0;
      counts->data += loop.data.empty() ? 0 : 1;
      counts->nests += loop.steps.empty() ? 0 : 1;
    }
  }
}

TEST(CountedLoops, EveryEngineAndEverySliceAgree) {
  const uint64_t first = WantedNumber("WB_RANDOM_SEED", 1);
  const uint64_t modules = WantedNumber("WB_RANDOM_MODULES", 3);
  LoopCounts counts;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const Loops loops(seed);
    Count(*loops.module, &counts);
    ASSERT_EQ(DifferenceOnEngines(loops.module,
                                  [&](LanesUnderTest& lanes) { return loops.Compare(lanes); }),
              "");
  }
  // The generator is worth little if few of its loops are counted; half of them are outer ones, or
  // have such inside.
  EXPECT_GT(6 * counts.counted, counts.loops);
  EXPECT_GT(counts.known, counts.counted / 4);
  EXPECT_GT(counts.slots, counts.counted / 8);
  EXPECT_GT(counts.any_nan, 0u);
  EXPECT_GT(counts.data, 0u);
  EXPECT_GT(counts.nests, 8u);
}

// A loop that shows when a test before it, or a part of one, is left out of the text.
struct LeftOut {
  const char* what;
  const char* pattern;
  const char* instead;
  const char* loop;  // with $fp the frame, $p, $i and $n; $s is the result
};

constexpr LeftOut kLeftOut[] = {
    {"fuel for all rounds",
     R"(return !wb_spent\(fuel\) && \(ulong\)rounds \* cost <= \(ulong\)fuel;)", "return true;",
     R"((local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 200)))))"},
    {"fuel for as many rounds", R"(return \(ulong\)\(rounds < most \? rounds : most\);)",
     "return (ulong)rounds;",
     R"((local.set $n (i32.add (i32.const 200) (i32.and (local.get $x) (i32.const 4))))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $n)))))"},
    {"the rounds that are left", R"(if \(e\d+ == 0u\) \{)", "if (false) {",
     R"((local.set $n (i32.add (i32.const 80) (i32.and (local.get $x) (i32.const 4))))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $n)))))"},
    {"the end of memory", R"(\(ulong\)from \+ span <= size;)",
     "(ulong)from + span <= size + 65536ul;",
     R"((local.set $p (i32.sub (i32.const 65520) (i32.and (local.get $x) (i32.const 4))))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load offset=8 (local.get $p))))
          (local.set $p (i32.add (local.get $p) (i32.const 4)))
          (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 9)))))"},
    {"the end after all rounds", R"(return \(ulong\)\(rounds - 1u\) \* per_round \+ bytes;)",
     "return bytes;",
     R"((local.set $p (i32.sub (i32.const 65520) (i32.and (local.get $x) (i32.const 4))))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $p))))
          (local.set $p (i32.add (local.get $p) (i32.const 4)))
          (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 9)))))"},
    {"alignment", R"( && \(a\d+_\d+ & 3u\) == 0u)", "",
     R"((local.set $p (i32.and (local.get $x) (i32.const 3)))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $p) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"words apart", R"(return \(ulong\)a \+ bytes_a <= \(ulong\)b \|\|)", "return true ||",
     R"((local.set $p (i32.sub (local.get $fp) (i32.and (local.get $x) (i32.const 12))))
        (loop $l
          (i32.store (local.get $fp) (i32.add (local.get $i) (i32.const 5)))
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $p) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"words of two arrays apart", R"( && wb_apart\(a\d+_1 [^)]*\))", "",
     R"((local.set $p (i32.sub (local.get $fp) (i32.and (local.get $x) (i32.const 12))))
        (loop $l
          (i32.store8 offset=8 (local.get $fp) (local.get $i))
          (i32.store (local.get $fp) (local.get $i))
          (local.set $s (i32.add (local.get $s) (i32.load offset=8 (local.get $p))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"where the counter starts", R"(if \([lt]\d+ == \d+u && wb_fuel)", "if (wb_fuel",
     R"((local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"a bound that is passed", R"(return steps \* step == to - from \? steps \+ 1u : 0u;)",
     "return steps + 1u;",
     R"((local.set $n (i32.add (i32.const 20) (i32.and (local.get $x) (i32.const 1))))
        (loop $l
          (i32.store (local.get $fp) (local.get $i))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 8))) (local.get $n)))))"},
    {"a bound near the highest value", R"(return b > 0xffffffffu - step \? 0u : )", "return ",
     R"((local.set $n (i32.sub (i32.const -2) (i32.and (local.get $x) (i32.const 1))))
        (local.set $i (i32.sub (i32.const -16) (i32.and (local.get $x) (i32.const 1))))
        (loop $l
          (i32.store (local.get $fp) (local.get $i))
          (br_if $l (i32.le_u (local.tee $i (i32.add (local.get $i) (i32.const 8))) (local.get $n)))))"},
    {"where it resumes inside", R"(if \(r == 0u && )", "if (",
     R"((loop $l
          (local.set $n (i32.const 0))
          (loop $m
            (local.set $s (i32.add (local.get $s) (i32.load (i32.add (local.get $fp) (local.get $n)))))
            (i32.store (local.get $fp) (local.get $s))
            (br_if $m (i32.ne (local.tee $n (i32.add (local.get $n) (i32.const 4))) (i32.const 16))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"words go back", R"(wb_word_put\(P\d+_\d+, \d+ul, q\d+_\d+_\d+\);)", "",
     R"((loop $l
          (i32.store (local.get $fp) (i32.add (local.get $i) (i32.const 5)))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"a NaN goes back canonical", R"(wb_f64_canon\((q\d+_\d+_\d+)\))", "$1",
     R"((loop $l
          (f64.store (local.get $fp) (f64.add (f64.load (local.get $fp))
            (f64.sqrt (f64.convert_i32_s (i32.sub (i32.const -1) (local.get $i))))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"signs", R"((wb_rounds_below\([^\n]*), 0x80000000u\))", "$1, 0u)",
     R"((local.set $i (i32.const -16))
        (local.set $n (i32.add (i32.const 16) (i32.and (local.get $x) (i32.const 4))))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load offset=16
            (i32.add (local.get $fp) (local.get $i)))))
          (br_if $l (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 4))) (local.get $n)))))"},
    {"data that was written", R"(\(wb_are_kept\()", "(true || wb_are_kept(",
     R"((i32.store (i32.const 8) (local.get $x))
        (local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"what this function wrote", R"( & ~written & spans)", " & spans",
     R"((i32.store (i32.const 8) (local.get $x))
        (local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"what a caller wrote", R"(wb_note_written\(L, D\);(\s*if \(room))", "$1",
     R"((i32.store (i32.const 8) (local.get $x))
        (local.set $s (call $sum)))"},
    {"what the end of a write before it wrote", R"(wb_spans_of\(1920u, 168u)",
     "wb_spans_of(2048u, 40u",
     R"((i64.store (i32.const 2044) (i64.const -1))
        (i64.store (i32.const 2044) (i64.extend_i32_u (local.get $x)))
        (local.set $i (i32.const 2048))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 2088)))))"},
    {"equal words", R"(return same == n;)", "return true;",
     R"((i32.store (i32.const 8) (local.get $x))
        (local.set $i (i32.const 0))
        (loop $l
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
    {"data that the loop writes", R"( && wb_apart\(\d+u, [^)]*\))", "",
     R"((local.set $p (i32.and (local.get $x) (i32.const 12)))
        (local.set $i (i32.const 0))
        (loop $l
          (i32.store8 offset=4 (local.get $p) (local.get $x))
          (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
          (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40)))))"},
};

// One export for each of them; the frame lies at 448, in front of some data.
std::string ModuleOfLoops() {
  std::string text = R"((module (memory 1 2) (global $sp (mut i32) (i32.const 512))
    (data (i32.const 0) "a counted loop reads these bytes, at odd addresses too, and sums them up")
    (data (i32.const 2048) "data in a span of its own, of which the first bytes belong to a write before them")
    (func $sum (result i32) (local $i i32) (local $s i32)
      (local.set $i (i32.const 0))
      (loop $l
        (local.set $s (i32.add (local.get $s) (i32.load (local.get $i))))
        (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 40))))
      (local.get $s))
    (data (i32.const 440) "the frame and the words before and behind it begin with these bytes......"))";
  for (size_t i = 0; i < std::size(kLeftOut); ++i) {
    text += "(func (export \"" + Loops::NameOf(static_cast<uint32_t>(i)) + R"(")
      (param $x i32) (param $y i64) (param f32 f64) (result i32 i64)
      (local $i i32) (local $p i32) (local $n i32) (local $s i32) (local $fp i32)
      (local.set $fp (i32.sub (global.get $sp) (i32.const 64)))
      (global.set $sp (local.get $fp)))" +
            std::string(kLeftOut[i].loop) + R"(
      (global.set $sp (i32.add (local.get $fp) (i32.const 64)))
      (local.get $s) (i64.const 0)))";
  }
  return text + ")";
}

TEST(CountedLoops, EachTestBeforeThemIsNeeded) {
  const auto module = LoweredOf(ModuleOfLoops());
  LanesUnderTest interpreter = OnInterpreter(module);
  // Where memory is contiguous an address may be odd.
  LanesUnderTest whole = OnCpu(module, MemoryLayout::kInterleaved);
  for (uint32_t i = 0; i < std::size(kLeftOut); ++i) {
    SCOPED_TRACE(kLeftOut[i].what);
    bool changed = false;
    LanesUnderTest without = OnCpuWith(
        [&](std::string& text) {
          const std::string less =
              std::regex_replace(text, std::regex(kLeftOut[i].pattern), kLeftOut[i].instead);
          changed = less != text;
          text = less;
        },
        module, MemoryLayout::kInterleaved);
    EXPECT_TRUE(changed) << "no text has this test";
    bool differs = false;
    std::vector<Way> ways(std::begin(kWays), std::end(kWays));
    ways.push_back({400, 7});  // some lane has too little for a loop first, and then just enough
    for (const Way& way : ways) {
      const auto wanted = interpreter.Run(Loops::NameOf(i), 0, way.fuel);
      const auto run = whole.Run(Loops::NameOf(i), way.slice, way.fuel);
      const auto less = without.Run(Loops::NameOf(i), way.slice, way.fuel);
      ASSERT_TRUE(wanted.ok() && run.ok() && less.ok());
      EXPECT_EQ(Difference(*wanted, *run), "");
      differs = differs || !Difference(*wanted, *less).empty();
    }
    EXPECT_TRUE(differs);
  }
}

}  // namespace
}  // namespace wb::test
