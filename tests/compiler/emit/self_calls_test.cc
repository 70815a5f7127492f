// Functions that call themselves, in every place of a function, on every engine: as activations one
// behind the other (interpreter, CPU) and as a loop over them (ActivationLoop).

#include <gtest/gtest.h>

#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "compiler/emit/plan/native_calls.h"
#include "tests/compiler/emit/engines_under_test.h"
#include "tests/compiler/emit/random_choices.h"

namespace wb::test {
namespace {

// Whole; with little fuel, and slices that leave at most safepoints; and in longer slices.
struct Way {
  uint64_t fuel;
  uint32_t slice;
};
constexpr Way kWays[] = {{20'000, 0}, {300, 1}, {5'000, 23}};

// A module with an export "f" that calls $r, which calls itself. $d is how deep it may still go.
class SelfCalls {
 public:
  explicit SelfCalls(uint64_t seed) : choices_(seed) {}

  std::string Module() {
    std::string body;
    for (uint32_t i = 0; i < 3 + choices_.Below(4); ++i) body += Statement(0);
    return R"((module (memory 1 4) (table 1 funcref) (elem (i32.const 0) $r)
  (type $t (func (param i32 i32 i64 f64 v128) (result i32 i64)))
  (func $help (param $n i32) (result i32) (local $s i32)
    (local.set $n (i32.and (local.get $n) (i32.const 7)))
    (loop $l
      (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) (local.get $n)))
      (br_if $l (i32.ge_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))
    (local.get $s))
  (func $r (type $t) (param $d i32) (param $x i32) (param $y i64) (param $z f64) (param $v v128)
      (result i32 i64)
    (local $s i32) (local $t i64) (local $i i32) (local $j i32) (local $w v128)
    (if (i32.le_s (local.get $d) (i32.const 0))
      (then (return (i32.add (local.get $x) (i32x4.extract_lane 1 (local.get $v)))
                    (i64.add (local.get $y) (i64.reinterpret_f64 (local.get $z))))))
)" + body + R"(
    (i32.xor (local.get $s) (i32x4.extract_lane 2 (i32x4.add (local.get $v) (local.get $w))))
    (i64.add (local.get $t) (i64.reinterpret_f64 (f64.add (local.get $z) (f64.const 1)))))
  (func (export "f") (param $x i32) (param $y i64) (param $g f32) (param $z f64) (result i32)
    (local $a i32) (local $b i64)
    (call $r (i32.and (local.get $x) (i32.const 7)) (local.get $x) (local.get $y) (local.get $z)
             (i64x2.splat (local.get $y)))
    (local.set $b) (local.set $a)
    (i64.store (i32.const 8) (local.get $b))
    (local.get $a)))
)";
  }

 private:
  std::string Number(uint32_t below) { return std::to_string(choices_.Below(below)); }

  std::string Value() {
    switch (choices_.Below(5)) {
      case 0: return "(local.get $x)";
      case 1: return "(local.get $s)";
      case 2: return "(i32.const " + Number(1000) + ")";
      case 3: return "(i32.mul (local.get $x) (i32.add (local.get $s) (i32.const 3)))";
      default: return "(i32.wrap_i64 (i64.shr_u (local.get $t) (i64.const 3)))";
    }
  }

  // Leaves (i32 i64). Every call goes less deep, so that most lanes return.
  std::string Call() {
    const std::string less =
        "(i32.sub (local.get $d) (i32.const " + std::to_string(1 + choices_.Below(3)) + "))";
    const std::string z = choices_.Below(2) == 0
                              ? "(local.get $z)"
                              : "(f64.sqrt (f64.sub (local.get $z) (f64.const 2)))";
    const std::string args = less + " " + Value() + " (i64.add (local.get $t) (local.get $y)) " +
                             z + " (i32x4.replace_lane " + Number(4) + " (local.get $v) " +
                             Value() + ")";
    if (choices_.Below(4) == 0) return "(call_indirect (type $t) " + args + " (i32.const 0))";
    return "(call $r " + args + ")";
  }

  // The results are added up.
  static std::string Taken(const std::string& call) {
    return call +
           "\n(local.set $t (i64.xor (local.get $t)))\n(local.set $s (i32.add (local.get $s)))\n";
  }

  std::string Loop(const std::string& body, const char* counter) {
    const std::string i = std::string("(local.get ") + counter + ")";
    return std::string("(local.set ") + counter + " (i32.const " + Number(3) + "))\n(loop\n" +
           body + "(br_if 0 (i32.ge_s (local.tee " + counter + " (i32.sub " + i +
           " (i32.const 1))) (i32.const 0))))\n";
  }

  std::string Statement(uint32_t depth) {
    const auto inner = [&] { return Statement(depth + 1); };
    switch (choices_.Below(depth < 2 ? 16 : 8)) {
      case 0:
      case 1:
      case 2: return Taken(Call());
      case 3:
        return "(i32.store offset=64 (i32.and " + Value() + " (i32.const 252)) " + Value() + ")\n";
      case 4:
        return "(local.set $s (i32.xor (local.get $s) (i32.load offset=64 (i32.and " + Value() +
               " (i32.const 252)))))\n";
      case 5: return "(local.set $s (i32.add (local.get $s) (call $help " + Value() + ")))\n";
      case 6: return "(local.set $w (i32x4.add (local.get $w) (i32x4.splat " + Value() + ")))\n";
      case 7: return "(local.set $x (i32.add (local.get $x) (i32.const " + Number(9) + ")))\n";
      case 8: return Loop(inner() + inner(), depth == 0 ? "$i" : "$j");
      case 9:
        return "(if (i32.and " + Value() + " (i32.const 1)) (then\n" + inner() + ") (else\n" +
               inner() + "))\n";
      case 10:
        return "(block\n" + inner() + "(br_if 0 (i32.and " + Value() + " (i32.const 4)))\n" +
               inner() + ")\n";
      case 11:
        return "(block (block (block (block (br_table 0 1 2 3 (i32.and " + Value() +
               " (i32.const 7))))\n" + inner() + ")\n" + inner() + "(br 1))\n" + inner() + ")\n";
      case 12:
        return "(if (i32.eq (i32.and " + Value() + " (i32.const 31)) (i32.const 7)) (then " +
               Rare() + "))\n";
      case 13:
        return "(call $r (i32.const 0) " + Value() +
               " (i64.const 1) (local.get $z) (local.get $v))\n(local.set $t)\n(local.set $x)\n";
      // A result waits on the operand stack while what follows may leave.
      case 14:
        return Call() + "\n(local.set $t)\n(call $help " + Value() + ")\n(i32.mul)\n(call $help " +
               Value() + ")\n(i32.xor)\n(local.set $s (i32.add (local.get $s)))\n";
      // The results of one call are arguments of another.
      default:
        return Call() + "\n(local.set $t)\n(local.set $j)\n" +
               Taken(
                   "(call $r (i32.sub (local.get $d) (i32.const 2)) (local.get $j) (local.get $t) "
                   "(local.get $z) (local.get $v))");
    }
  }

  std::string Rare() {
    switch (choices_.Below(4)) {
      case 0: return "(unreachable)";
      case 1: return "(drop (i32.load (i32.const 0x7fffffff)))";
      case 2: return "(drop (memory.grow (i32.const 1)))";
      default:
        return "(return_call $r (i32.sub (local.get $d) (i32.const 1)) " + Value() +
               " (local.get $t) (local.get $z) (local.get $v))";
    }
  }

  Choices choices_;
};

// As SelfCalls, of few words: activations keep so little that several levels of callers stay in
// variables. No loop is without a call.
class SmallSelfCalls {
 public:
  explicit SmallSelfCalls(uint64_t seed) : choices_(seed) {}

  std::string Module() {
    std::string body;
    for (uint32_t i = 0; i < 2 + choices_.Below(2); ++i) body += Statement(0);
    return R"((module (memory 1 4)
  (func $help (param i32) (result i32) (local.get 0))
  (func $r (param $d i32) (param $a i32) (result i32) (local $s i32) (local $i i32)
    (if (i32.le_s (local.get $d) (i32.const 0)) (then (return (local.get $a))))
)" + Taken() +
           body + R"(
    (local.get $s))
  (func (export "f") (param $x i32) (param i64 f32 f64) (result i32)
    (call $r (i32.and (local.get $x) (i32.const 7)) (local.get $x))))
)";
  }

 private:
  std::string Value() {
    switch (choices_.Below(3)) {
      case 0: return "(local.get $a)";
      case 1:
        return "(i32.add (local.get $s) (i32.const " + std::to_string(choices_.Below(99)) + "))";
      default: return "(i32.xor (local.get $a) (local.get $s))";
    }
  }

  std::string Call(const std::string& value) {
    const std::string less = std::to_string(1 + choices_.Below(3));
    return "(call $r (i32.sub (local.get $d) (i32.const " + less + ")) " + value + ")";
  }

  std::string Taken() {
    return "(local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) " + Call(Value()) +
           "))\n";
  }

  std::string Statement(uint32_t depth) {
    switch (choices_.Below(depth < 2 ? 8 : 5)) {
      case 0:
      case 1: return Taken();
      case 2: return "(local.set $a " + Value() + ")\n";
      case 3: return "(local.set $s " + Call(Call(Value())) + ")\n";
      case 4:
        return "(i32.store offset=64 (i32.and " + Value() + " (i32.const 252)) (local.get $s))\n";
      case 5:
        return "(if (i32.and " + Value() + " (i32.const 1)) (then\n" + Statement(depth + 1) +
               ") (else\n" + Statement(depth + 1) + "))\n";
      case 6:
        return "(if (i32.eq (i32.and " + Value() +
               " (i32.const 63)) (i32.const 7)) (then (unreachable)))\n";
      default:
        return "(local.set $i (i32.const 2))\n(loop\n" + Taken() +
               "(br_if 0 (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))\n";
    }
  }

  Choices choices_;
};

LanesUnderTest Interleaved(const std::shared_ptr<const LoweredModule>& module,
                           Flattening flattening) {
  CpuSettings settings;
  settings.layout = MemoryLayout::kInterleaved;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  auto lanes = LanesUnderTest::Build(std::move(*device), module, {.flattening = flattening});
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return std::move(*lanes);
}

bool LoopsItself(const LoweredModule& module) {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  const NativeCalls native(module.program, {2}, options);
  return native.Loops(1);
}

// Records of an engine against the interpreter's, with stacks that end at several depths.
void Compare(LanesUnderTest& interpreter, LanesUnderTest& other, uint64_t seed) {
  for (uint32_t max_stack : {kMaxStackSlots, 60u + static_cast<uint32_t>(seed % 40)}) {
    for (const Way& way : kWays) {
      const auto whole = interpreter.Run("f", 0, way.fuel, max_stack);
      ASSERT_TRUE(whole.ok()) << whole.status().ToString();
      const auto run = other.Run("f", way.slice, way.fuel, max_stack);
      ASSERT_TRUE(run.ok()) << run.status().ToString();
      ASSERT_EQ(Difference(*whole, *run), "") << "slice " << way.slice << ", stack " << max_stack;
    }
  }
}

// Its frame has the result, and not the variable in which the callee handed it over.
TEST(SelfCalls, AResultThatWaitsOnTheStackOutlivesALeave) {
  const auto module = LoweredOf(R"((module (memory 1 4)
    (func $help (param $n i32) (result i32) (local $s i32)
      (loop $l
        (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) (local.get $n)))
        (br_if $l (i32.ge_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))
      (local.get $s))
    (func $r (param $d i32) (result i32)
      (if (result i32) (i32.eqz (local.get $d))
        (then (i32.const 5))
        (else (i32.add
          (i32.mul (call $r (i32.sub (local.get $d) (i32.const 1))) (call $help (local.get $d)))
          (call $help (i32.const 3))))))
    (func (export "f") (param $x i32) (param i64 f32 f64) (result i32)
      (call $r (i32.and (local.get $x) (i32.const 7))))))");
  ASSERT_TRUE(LoopsItself(*module));
  LanesUnderTest interpreter = OnInterpreter(module);
  LanesUnderTest interleaved = Interleaved(module, Flattening::kWhereNeeded);
  Compare(interpreter, interleaved, 0);
}

// A tree of calls: the first one of an activation writes its arguments, a later one does not.
TEST(SelfCalls, ArgumentsThatStayAreWrittenOnceAndAreNeeded) {
  const auto module = LoweredOf(R"((module (memory 1 4)
    (func $help (param i32) (result i32) (local.get 0))
    (func $r (param $d i32) (param $a i32) (param $b i64) (result i32) (local $i i32) (local $s i32)
      (if (i32.eqz (local.get $d)) (then (return (local.get $a))))
      (loop $l
        (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31))
          (call $r (i32.sub (local.get $d) (i32.const 1))
            (i32.add (local.get $a) (i32.wrap_i64 (local.get $b)))
            (i64.add (local.get $b) (i64.extend_i32_u (local.get $i))))))
        (br_if $l (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))
      (local.get $s))
    (func (export "f") (param $x i32) (param $y i64) (param f32 f64) (result i32)
      (call $r (i32.and (local.get $x) (i32.const 3)) (local.get $x) (local.get $y)))))");
  ASSERT_TRUE(LoopsItself(*module));
  LanesUnderTest interpreter = OnInterpreter(module);
  LanesUnderTest interleaved = Interleaved(module, Flattening::kWhereNeeded);
  Compare(interpreter, interleaved, 0);
  bool changed = false;
  LanesUnderTest without = OnCpuWith(
      [&](std::string& text) {
        const std::string less =
            std::regex_replace(text, std::regex(R"(\bx?g(_\d)? == 0u\))"), "false)");
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

// Callers at every level, in variables and in memory, wherever the function leaves.
TEST(SelfCalls, SmallFramesStayInVariablesOfSeveralLevels) {
  const uint64_t first = WantedNumber("WB_RANDOM_SEED", 300);
  const uint64_t modules = WantedNumber("WB_RANDOM_MODULES", 5);
  uint64_t loops = 0;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const auto module = LoweredOf(SmallSelfCalls(seed).Module());
    bool levels = false;
    LanesUnderTest interpreter = OnInterpreter(module);
    LanesUnderTest interleaved = OnCpuWith(
        [&](const std::string& text) { levels = text.find("uint h_3 = 0u;") != std::string::npos; },
        module, MemoryLayout::kInterleaved);
    loops += levels ? 1 : 0;
    Compare(interpreter, interleaved, seed);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(2 * loops, modules);
}

// What a loop without calls needs of registers, frames do not take.
TEST(SelfCalls, ALoopOfItsOwnLeavesOneLevel) {
  const auto module = LoweredOf(R"((module (memory 1 4)
    (func $help (param i32) (result i32) (local.get 0))
    (func $r (param $d i32) (result i32) (local $i i32) (local $s i32)
      (if (i32.eqz (local.get $d)) (then (return (i32.const 3))))
      (local.set $i (local.get $d))
      (loop $l
        (local.set $s (i32.add (i32.mul (local.get $s) (i32.const 31)) (local.get $i)))
        (br_if $l (local.tee $i (i32.and (i32.mul (local.get $i) (i32.const 6)) (i32.const 62)))))
      (i32.add (local.get $s) (call $r (i32.sub (local.get $d) (i32.const 1)))))
    (func (export "f") (param $x i32) (param i64 f32 f64) (result i32)
      (call $r (i32.and (local.get $x) (i32.const 7))))))");
  ASSERT_TRUE(LoopsItself(*module));
  std::string text;
  LanesUnderTest interpreter = OnInterpreter(module);
  LanesUnderTest interleaved = OnCpuWith([&](const std::string& whole) { text = whole; }, module,
                                         MemoryLayout::kInterleaved);
  EXPECT_NE(text.find("uint h = 0u;"), std::string::npos);
  EXPECT_EQ(text.find("uint h_2 = 0u;"), std::string::npos);
  Compare(interpreter, interleaved, 0);
}

TEST(SelfCalls, EveryEngineAndEverySliceAgree) {
  const uint64_t first = WantedNumber("WB_RANDOM_SEED", 108);
  const uint64_t modules = WantedNumber("WB_RANDOM_MODULES", 4);
  uint64_t loops = 0;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const auto module = LoweredOf(SelfCalls(seed).Module());
    loops += LoopsItself(*module) ? 1 : 0;
    LanesUnderTest interpreter = OnInterpreter(module);
    LanesUnderTest cpu = OnCpu(module, MemoryLayout::kContiguous);
    LanesUnderTest interleaved = Interleaved(module, Flattening::kWhereNeeded);
    LanesUnderTest flat =
        Interleaved(module, seed % 2 == 0 ? Flattening::kAlways : Flattening::kMixed);
    for (LanesUnderTest* lanes : {&cpu, &interleaved, &flat}) {
      SCOPED_TRACE(lanes == &cpu ? "cpu" : lanes == &flat ? "flattened" : "interleaved");
      Compare(interpreter, *lanes, seed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(2 * loops, modules);
}

}  // namespace
}  // namespace wb::test
