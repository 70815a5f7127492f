#include "scheduler/trace/profiler.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "compiler/link/bindings.h"
#include "compiler/link/link.h"
#include "compiler/system/system_layer.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "tests/compiler/system/file_set.h"
#include "tests/scheduler/devices/agreement_cases.h"
#include "tests/scheduler/devices/basic_cases.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

DeviceStarter ProfilingInterpreter() {
  return [](const std::function<void()>&) -> Result<StartedDevice> {
    InterpreterSettings settings;
    settings.traces = settings.profiles = true;
    return StartedDevice{CreateInterpreterDevice(settings)};
  };
}

JobProfile ProfileOf(const JobPlan& plan, const ProfileOrder& order = {},
                     const ProfileLimits& limits = {}) {
  Profiler profiler(std::make_shared<LoweredModules>(), ProfilingInterpreter(), limits);
  return profiler.Run(plan, order).value();
}

JobProfile LoopsOf(const JobPlan& plan) {
  ProfileOrder order;
  order.loops = true;
  return ProfileOf(plan, order);
}

uint64_t SumOf(const JobProfile& profile) {
  uint64_t sum = 0;
  for (const ProfileNode& node : profile.nodes) sum += node.fuel;
  return sum;
}

// "1/0": function 0, called by function 1; "2/2@20": the loop at offset 20 of function 2. "?"
// stands for callers that were too many. Of linked modules a function is "lib.1".
std::string WayOf(const Module& module, const JobProfile& profile, uint32_t node) {
  std::string way;
  for (uint32_t at = node; at != 0; at = profile.nodes[at].parent) {
    const ProfileFrame& frame = profile.frames[profile.nodes[at].frame];
    std::string name = frame.many_callers ? "?" : std::to_string(frame.function);
    if (frame.function == abi::NONE) name = "start";
    if (frame.instance != ProfileFrame::kNoInstance) {
      name = module.instances[frame.instance].name + "." + name;
    }
    if (frame.loop != 0) name += "@" + std::to_string(frame.loop);
    way = name + (way.empty() ? "" : "/") + way;
  }
  return way;
}

using FuelByWay = std::map<std::string, uint64_t>;
FuelByWay WaysOf(const JobPlan& plan, const JobProfile& profile) {
  FuelByWay ways;
  for (uint32_t i = 0; i < profile.nodes.size(); ++i) {
    if (profile.nodes[i].fuel == 0) continue;
    ways[WayOf(*plan.spec.module, profile, i)] = profile.nodes[i].fuel;
  }
  return ways;
}

// Instance 0's counts, which are all of its fuel: none is left for the job's steps.
void ExpectExact(const JobPlan& plan, const std::string& name) {
  const uint64_t used = ResultOf(plan).fuel;
  for (const JobProfile& profile : {ProfileOf(plan), LoopsOf(plan)}) {
    ASSERT_EQ(profile.sample.size(), 1u) << name;
    EXPECT_EQ(profile.sample[0].cut, ProfileCut::kNone) << name;
    EXPECT_EQ(profile.sample[0].fuel, used) << name;
    EXPECT_EQ(profile.fuel, used) << name;
    EXPECT_EQ(SumOf(profile), used) << name;
    EXPECT_EQ(profile.nodes[0].fuel, 0u) << name;
  }
}

TEST(ProfilerTest, AFunctionIsChargedForItsOwnInstructions) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module
    (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
    (func $middle (param i32) (result i32) (call $leaf (call $leaf (local.get 0))))
    (func (export "run") (drop (call $leaf (i32.const 1))) (drop (call $middle (i32.const 1))))))"));
  const JobProfile profile = ProfileOf(plan);
  const FuelByWay want = {{"2", 4}, {"2/0", 3}, {"2/1", 3}, {"2/1/0", 6}};
  EXPECT_EQ(WaysOf(plan, profile), want);
  EXPECT_EQ(profile.fuel, 16u);
  for (uint32_t i = 1; i < profile.nodes.size(); ++i) {
    const bool is_inner = WayOf(*plan.spec.module, profile, i) == "2/1/0";
    EXPECT_EQ(profile.nodes[i].calls, is_inner ? 2u : 1u);
  }
}

// The inner loop is left by a branch to the outer one, by one out of both, and at its end.
constexpr std::string_view kLoops = R"((module
  (func $work (nop))
  (func (export "run") (local $i i32) (local $j i32)
    (block $out
      (loop $outer
        (local.set $j (i32.const 0))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (loop $inner
          (call $work)
          (br_if $out (i32.eq (local.get $i) (i32.const 5)))
          (local.set $j (i32.add (local.get $j) (i32.const 1)))
          (br_if $outer (i32.eq (local.get $i) (i32.const 2)))
          (br_if $inner (i32.lt_u (local.get $j) (i32.const 3))))
        (br_if $outer (i32.lt_u (local.get $i) (i32.const 9)))))
    (local.set $i (i32.const 1))))";

TEST(ProfilerTest, LoopsAreChargedByThemselves) {
  const JobPlan plan = PlanOf(ModuleOf(std::string(kLoops) + ")"));
  const Module& module = *plan.spec.module;
  const std::string outer = "@" + std::to_string(OffsetOf(module, 1, Opcode::kLoop, 0));
  const std::string inner = "@" + std::to_string(OffsetOf(module, 1, Opcode::kLoop, 1));
  const FuelByWay ways = WaysOf(plan, LoopsOf(plan));
  // The outer loop: 5 rounds of its head, of 6, and 3 of its foot, of 4.
  EXPECT_EQ(ways.at("1/1" + outer), 5u * 6 + 3 * 4);
  // Rounds with $i 1, 3 and 4 go three times through all 17, that with 2 once through 13, the last
  // through 5.
  EXPECT_EQ(ways.at("1/1" + outer + "/1" + inner), 3u * 3 * 17 + 13 + 5);
  EXPECT_EQ(ways.at("1"), 2u);
  EXPECT_EQ(ways.size(), 3u);
  // Without loops the same is the function's.
  const FuelByWay whole = WaysOf(plan, ProfileOf(plan));
  EXPECT_EQ(whole, (FuelByWay{{"1", 42 + 171 + 2}}));
  EXPECT_EQ(LoopsOf(plan).fuel, 215u);
}

TEST(ProfilerTest, TheCountsOfManyModulesAreTheirFuel) {
  for (const AgreementCase& one : kCases) {
    ExpectExact(PlanJob(NumberJob(ModuleOf(one.wat), 1), {}).value(), one.name);
  }
  for (const AgreementCase& one : kStateCases) {
    ExpectExact(PlanJob(NumberJob(ModuleOf(one.wat), 1), {}).value(), one.name);
  }
}

TEST(ProfilerTest, TheCountsOfCallsOfEveryKindAreTheirFuel) {
  ExpectExact(PlanOf(ModuleOf(R"((module
    (func $fib (param i32) (result i32)
      (if (result i32) (i32.lt_u (local.get 0) (i32.const 2)) (then (local.get 0))
        (else (i32.add (call $fib (i32.sub (local.get 0) (i32.const 1)))
                       (call $fib (i32.sub (local.get 0) (i32.const 2)))))))
    (func (export "run") (drop (call $fib (i32.const 24))))))")),
              "recursion");
  ExpectExact(PlanOf(ModuleOf(R"((module
    (func $down (call $down)) (func (export "run") (call $down))))")),
              "a full stack");
  ExpectExact(PlanOf(ModuleOf(R"((module (memory 1 100)
    (func (export "run") (local $i i32)
      (loop $l
        (drop (memory.grow (i32.const 3)))
        (memory.fill (i32.const 100) (i32.const 7) (i32.const 60000))
        (memory.copy (i32.const 70000) (i32.const 100) (i32.const 50001))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 9))))
      (memory.fill (i32.const 100) (i32.const 7) (i32.const -1)))))")),
              "bulk operators");
  ExpectExact(PlanOf(ModuleOf(R"((module (type $t (func (param i32 i32) (result i32)))
    (table funcref (elem $odd $even))
    (func $even (type $t)
      (if (i32.eqz (local.get 0)) (then (return (local.get 1))))
      (return_call $odd (i32.sub (local.get 0) (i32.const 1))
                        (i32.add (local.get 1) (i32.const 3))))
    (func $odd (type $t)
      (return_call_indirect (type $t) (i32.sub (local.get 0) (i32.const 1)) (local.get 1)
                                      (i32.const 1)))
    (func (export "run") (drop (call $even (i32.const 1000) (i32.const 0))))))")),
              "tail calls");
}

TEST(ProfilerTest, ATrampolineIsNoFrame) {
  std::string text = "(module (type $t (func (result i32))) (table funcref (elem";
  for (int i = 0; i < 40; ++i) text += " " + std::to_string(i);
  text += "))";
  for (int i = 0; i < 40; ++i) text += "(func (result i32) (i32.const " + std::to_string(i) + "))";
  text += "(func (export \"run\") (result i32) (call_indirect (type $t) (i32.const 3))))";
  const JobPlan plan = PlanOf(ModuleOf(text));
  EXPECT_EQ(WaysOf(plan, ProfileOf(plan)), (FuelByWay{{"40", 2}, {"40/3", 1}}));
}

// A function so large that it is cut, in a loop of itself.
TEST(ProfilerTest, PartsOfAFunctionAreThatFunction) {
  std::string rows;
  for (int i = 0; i < 1500; ++i) rows += "(global.set $g (i32.add (global.get $g) (i32.const 1)))";
  const JobPlan plan =
      PlanOf(ModuleOf("(module (global $g (mut i32) (i32.const 0)) (func (export \"run\") (local "
                      "$i i32) (loop $l " +
                      rows + "(loop $m " + rows +
                      ") (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) "
                      "(i32.const 1))) (i32.const 4))))))"));
  EXPECT_GT(RealLower()(plan.spec.module, {}).value()->program.functions.size(), 1u);
  ExpectExact(plan, "parts");
  EXPECT_EQ(WaysOf(plan, ProfileOf(plan)).size(), 1u);
  const Module& module = *plan.spec.module;
  const std::string inner = "0/0@" + std::to_string(OffsetOf(module, 0, Opcode::kLoop, 0)) + "/0@" +
                            std::to_string(OffsetOf(module, 0, Opcode::kLoop, 1));
  EXPECT_EQ(WaysOf(plan, LoopsOf(plan)).at(inner), 4u * 1500 * 4);
}

TEST(ProfilerTest, FunctionsNameTheirModules) {
  const auto library = ModuleOf(R"((module (func) (func (export "g") (drop (i32.const 1)))
    (func $s (nop) (drop (i32.const 1))) (start $s)))");
  const auto main = ModuleOf(R"((module (import "lib" "g" (func $g)) (import "env" "h" (func $h))
    (func (export "run") (call $g) (call $h))))");
  const BoundModules bound =
      BindModules({{"lib", library}, {"", main}}, {{"env.h", Binding::Way::kIgnore, {}}}).value();
  const JobPlan plan = PlanOf(Link(PartsOf(bound), {}, Instantiation::kAtStart).value());
  ExpectExact(plan, "linked");
  const FuelByWay ways = WaysOf(plan, ProfileOf(plan));
  EXPECT_EQ(ways.at(".2/lib.1"), 1u);
  EXPECT_EQ(ways.at(".2"), 2u);  // what ignores calls is no frame
}

// Whose fuel is above all that of the system layer.
TEST(ProfilerTest, TheSystemLayerHasFrames) {
  const auto whole = WholeProgram(ModuleOf(R"((module
    (import "wasi_snapshot_preview1" "fd_write"
      (func $write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
    (memory (export "memory") 1)
    (data (i32.const 64) "\80\00\00\00\05\00\00\00") (data (i32.const 128) "hello")
    (func (export "_start")
      (drop (call $write (i32.const 1) (i32.const 64) (i32.const 1) (i32.const 72)))
      (call $exit (i32.const 3)))))"))
                         .value();
  JobSpec spec;
  spec.module = whole;
  spec.steps = {CallStep{"_start", {}, false}};
  Column configuration;
  configuration.kind = Column::Kind::kBytes;
  const std::string text = Configuration(InstanceInputs());
  configuration.bytes = {Bytes(text.begin(), text.end())};
  spec.columns = {configuration};
  spec.inputs = {0};
  spec.streams = {"stdout", "stderr"};
  spec.instances = 1;
  const JobPlan plan = PlanJob(std::move(spec), {}).value();
  const InstanceResult result = ResultOf(plan);
  ASSERT_EQ(result.end, End::kExited);
  const JobProfile profile = LoopsOf(plan);
  EXPECT_EQ(profile.fuel, result.fuel);
  EXPECT_EQ(SumOf(profile), result.fuel);
  uint64_t of_system = 0;
  for (const ProfileNode& node : profile.nodes) {
    const uint32_t instance = profile.frames[node.frame].instance;
    if (&node == profile.nodes.data()) continue;
    // What the engine answers is of no module.
    if (instance == ProfileFrame::kNoInstance) {
      const uint32_t function = profile.frames[node.frame].function;
      EXPECT_NE(whole->bodies[function - whole->imported_functions].primitive, Primitive::kNone);
      continue;
    }
    if (whole->instances[instance].name == "system") of_system += node.fuel;
  }
  EXPECT_GT(of_system, 100u);
}

TEST(ProfilerTest, TheJobsStepsPayForThemselves) {
  const JobPlan plan = PlanOf(ModuleOf(kInputSaysHowDeep), InputOf(70000, 5));
  const InstanceResult result = ResultOf(plan);
  const JobProfile profile = ProfileOf(plan);
  EXPECT_EQ(profile.fuel, result.fuel);
  EXPECT_EQ(SumOf(profile), result.fuel);
}

TEST(ProfilerTest, AnInstanceIsStoppedAfterSoMuchFuel) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module (func (export "run") (local $i i32)
    (loop $l (br_if $l (local.tee $i (i32.add (local.get $i) (i32.const 1))))))))"));
  ProfileLimits limits;
  limits.fuel = 3'000'000;
  const JobProfile profile = ProfileOf(plan, {}, limits);
  ASSERT_EQ(profile.sample.size(), 1u);
  EXPECT_EQ(profile.sample[0].cut, ProfileCut::kFuel);
  EXPECT_GE(profile.sample[0].fuel, limits.fuel);
  EXPECT_LT(profile.sample[0].fuel, limits.fuel + 100);
  EXPECT_EQ(SumOf(profile), profile.sample[0].fuel);
}

TEST(ProfilerTest, ASampleThatIsOutOfTimeSaysHowFarItCame) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module (func (export "run") (local $i i32)
    (loop $l (br_if $l (local.tee $i (i32.add (local.get $i) (i32.const 1))))))))"),
                              9);
  ProfileOrder order;
  order.instances = 5;
  order.time = std::chrono::milliseconds(1);
  const JobProfile profile = ProfileOf(plan, order);
  ASSERT_EQ(profile.sample.size(), 1u);
  EXPECT_EQ(profile.sample[0].cut, ProfileCut::kTime);
  EXPECT_NE(profile.note.find("after [1] of [5] instances"), std::string::npos) << profile.note;
}

TEST(ProfilerTest, AnInstanceThatNeedsMoreMemoryIsStoppedThere) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module (memory 1 400)
    (func (export "run") (drop (memory.grow (i32.const 300))) (nop))))"));
  ProfileLimits limits;
  limits.memory_bytes = uint64_t{64} << 20;
  const JobProfile profile = ProfileOf(plan, {}, limits);
  EXPECT_EQ(profile.sample[0].cut, ProfileCut::kMemory);
}

TEST(ProfilerTest, CallersThatAreTooManyAreLeftOutAndFuelIsNot) {
  // Each of 15 levels has two ways to the next one.
  std::string text = "(module ";
  for (int i = 0; i < 15; ++i) {
    const std::string next = std::to_string(i == 14 ? 30 : 2 * i + 2);
    const std::string other = std::to_string(i == 14 ? 30 : 2 * i + 3);
    for (int k = 0; k < 2; ++k) text += "(func (call " + next + ") (call " + other + "))";
  }
  text += "(func (nop) (drop (i32.const 1))) (func (export \"run\") (call 0)))";
  const JobPlan plan = PlanOf(ModuleOf(text));
  ExpectExact(plan, "ways");
  const JobProfile profile = ProfileOf(plan);
  EXPECT_LE(profile.nodes.size(), 2 * ProfileBuilder::kMostNodes);
  uint64_t of_leaf = 0;
  for (const ProfileNode& node : profile.nodes) {
    if (profile.frames[node.frame].function == 30) of_leaf += node.fuel;
  }
  EXPECT_EQ(of_leaf, uint64_t{1} << 15);
}

TEST(ProfilerTest, OfADeepRecursionTheOutermostCallsAreKept) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module
    (func $down (param i32)
      (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
    (func (export "run") (call $down (i32.const 5000)))))"));
  ExpectExact(plan, "deep");
  EXPECT_EQ(ProfileOf(plan).nodes.size(), kMostFuelDepth + 1);
}

TEST(ProfilerTest, AJobWhoseCallerAnswersIsNotRunAgain) {
  JobPlan plan = PlanOf(ModuleOf(R"((module (func (export "run"))))"));
  plan.spec.host_calls = std::make_shared<HostCallQueue>(std::vector<HostImport>());
  Profiler profiler(std::make_shared<LoweredModules>(), ProfilingInterpreter());
  EXPECT_EQ(profiler.Run(plan, {}).status().reason(), Reason::kJobTerminal);
}

TEST(ProfilerTest, AfterAStopAndForACallerWhoHasGoneNothingRuns) {
  const JobPlan plan = PlanOf(ModuleOf(R"((module (func (export "run"))))"));
  Profiler profiler(std::make_shared<LoweredModules>(), ProfilingInterpreter());
  ProfileOrder order;
  order.is_unwanted = [] { return true; };
  EXPECT_EQ(profiler.Run(plan, order).status().reason(), Reason::kCancelled);
  EXPECT_TRUE(profiler.Run(plan, {}).ok());
  profiler.Stop();
  EXPECT_EQ(profiler.Run(plan, {}).status().reason(), Reason::kCancelled);
}

}  // namespace
}  // namespace wb::test
