// Collectives of gpu_std on the engines of this machine: each against its definition written out
// anew, in groups that are short, diverge, and lose instances on the way.

#include <gtest/gtest.h>
#include <signal.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/job/job_plan.h"
#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

struct Collective {
  std::string name;  // "quad_sum_f32"
  std::string type;  // of its value: "i32"
  bool shuffles = false;
};

// All of gpu_std but barrier, in the order in which the guest calls them.
std::vector<Collective> AllCollectives() {
  std::vector<Collective> all;
#define WB_GPU_STD(import, primitive, code, results, params) \
  if (Primitive::k##primitive == Primitive::kCollective) all.push_back({import, "i32", false});
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  std::erase_if(all, [](const Collective& one) { return one.name == "barrier"; });
  for (Collective& one : all) {
    for (const char* type : {"i64", "f32", "f64"}) {
      if (one.name.ends_with(type)) one.type = type;
    }
    one.shuffles = one.name.find("shuffle") != std::string::npos ||
                   one.name.find("broadcast") != std::string::npos;
  }
  return all;
}

// What instance `n` gives at call `k`, in bits of its type; and which lane it asks for.
uint64_t Given(const std::string& type, uint64_t n, uint64_t k) {
  const uint64_t mixed = ((n << 16) + k + 1) * 0x9e3779b97f4a7c15u;
  const uint64_t bits = mixed ^ (mixed >> 29);
  const auto low = static_cast<uint32_t>(bits);
  if (type == "i32") return low;
  if (type == "i64" || (bits & 15) == 3) return type == "f32" ? low : bits;
  const auto number = static_cast<int32_t>(low);
  if (type == "f32") return std::bit_cast<uint32_t>(static_cast<float>(number));
  return std::bit_cast<uint64_t>(static_cast<double>(number) / 3.0);
}
uint32_t LaneAsked(uint64_t n, uint64_t k) { return static_cast<uint32_t>((n * 7 + k) % 45); }

std::string GuestWat(const std::vector<Collective>& all) {
  std::string imports, calls;
  for (size_t k = 0; k < all.size(); ++k) {
    const Collective& one = all[k];
    const std::string number = std::to_string(k);
    imports += "(import \"gpu_std\" \"" + one.name + "\" (func $f" + number + " (param " +
               one.type + (one.shuffles ? " i32" : "") + ") (result " + one.type + ")))\n";
    calls += "(call $before (local.get $n) (i32.const " + number +
             "))\n"
             "(br_if 0 (call $ends (local.get $n) (i32.const " +
             number +
             ")))\n"
             "(" +
             one.type + ".store (i32.const " + std::to_string(k * 8) + ") (call $f" + number +
             " (call $given_" + one.type + " (local.get $n) (i32.const " + number + "))" +
             (one.shuffles ? " (i32.rem_u (i32.add (i32.mul (local.get $n) (i32.const 7)) "
                             "(i32.const " +
                                 number + ")) (i32.const 45))"
                           : "") +
             "))\n";
  }
  return "(module\n" + imports + R"(
    (memory 1)
    (func $bits (param $n i32) (param $k i32) (result i64)
      (local $m i64)
      (local.set $m (i64.mul
        (i64.add (i64.shl (i64.extend_i32_u (local.get $n)) (i64.const 16))
                 (i64.add (i64.extend_i32_u (local.get $k)) (i64.const 1)))
        (i64.const 0x9e3779b97f4a7c15)))
      (i64.xor (local.get $m) (i64.shr_u (local.get $m) (i64.const 29))))
    (func $raw (param $bits i64) (result i32)
      (i64.eq (i64.and (local.get $bits) (i64.const 15)) (i64.const 3)))
    (func $given_i32 (param $n i32) (param $k i32) (result i32)
      (i32.wrap_i64 (call $bits (local.get $n) (local.get $k))))
    (func $given_i64 (param $n i32) (param $k i32) (result i64)
      (call $bits (local.get $n) (local.get $k)))
    (func $given_f32 (param $n i32) (param $k i32) (result f32)
      (local $b i64)
      (local.set $b (call $bits (local.get $n) (local.get $k)))
      (if (result f32) (call $raw (local.get $b))
        (then (f32.reinterpret_i32 (i32.wrap_i64 (local.get $b))))
        (else (f32.convert_i32_s (i32.wrap_i64 (local.get $b))))))
    (func $given_f64 (param $n i32) (param $k i32) (result f64)
      (local $b i64)
      (local.set $b (call $bits (local.get $n) (local.get $k)))
      (if (result f64) (call $raw (local.get $b))
        (then (f64.reinterpret_i64 (local.get $b)))
        (else (f64.div (f64.convert_i32_s (i32.wrap_i64 (local.get $b))) (f64.const 3)))))
    ;; Instances take different ways to the same call.
    (func $before (param $n i32) (param $k i32)
      (local $i i32)
      (local.set $i (i32.rem_u (i32.add (i32.mul (local.get $n) (i32.const 31))
                                        (i32.mul (local.get $k) (i32.const 17))) (i32.const 50)))
      (loop $l
        (local.set $i (i32.sub (local.get $i) (i32.const 1)))
        (br_if $l (i32.gt_s (local.get $i) (i32.const 0)))))
    (func $ends (param $n i32) (param $k i32) (result i32)
      (if (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 13)) (i32.const 5))
                   (i32.eq (i32.rem_u (local.get $n) (i32.const 47)) (local.get $k)))
        (then (unreachable)))
      (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 11)) (i32.const 3))
               (i32.eq (i32.rem_u (local.get $n) (i32.const 53)) (local.get $k))))
    (func (export "run") (param $n i32) (result i32)
      (block )" +
         calls + R"()
      (local.get $n)))
  )";
}

// Before which call the instance traps or returns; the number of calls: before none.
size_t TrapAt(uint64_t n, size_t calls) { return n % 13 == 5 ? n % 47 : calls; }
size_t LastCall(uint64_t n, size_t calls) {
  return std::min<size_t>(TrapAt(n, calls), n % 11 == 3 ? n % 53 : calls);
}

// ---- the definition, written out for one pair of values.

template <typename Float, typename Bits>
uint64_t FoldFloats(const std::string& name, uint64_t a, uint64_t b, uint64_t nan) {
  const Float x = std::bit_cast<Float>(static_cast<Bits>(a));
  const Float y = std::bit_cast<Float>(static_cast<Bits>(b));
  if (std::isnan(x) || std::isnan(y)) return nan;
  Float folded = x + y;
  if (name.find("min") != std::string::npos)
    folded = x == y ? (std::signbit(x) ? x : y) : std::min(x, y);
  if (name.find("max") != std::string::npos)
    folded = x == y ? (std::signbit(x) ? y : x) : std::max(x, y);
  return std::isnan(folded) ? nan : std::bit_cast<Bits>(folded);
}

template <typename Signed, typename Unsigned>
uint64_t FoldIntegers(const std::string& name, uint64_t a64, uint64_t b64) {
  const auto a = static_cast<Unsigned>(a64), b = static_cast<Unsigned>(b64);
  const auto has = [&name](const char* part) { return name.find(part) != std::string::npos; };
  if (has("min_s")) return static_cast<Unsigned>(std::min<Signed>(a, b));
  if (has("max_s")) return static_cast<Unsigned>(std::max<Signed>(a, b));
  if (has("min_u")) return std::min(a, b);
  if (has("max_u")) return std::max(a, b);
  if (has("xor")) return a ^ b;
  if (has("or") || has("any") || has("ballot")) return a | b;
  if (has("and") || has("all")) return a & b;
  return static_cast<Unsigned>(a + b);
}

uint64_t Fold(const Collective& one, uint64_t a, uint64_t b) {
  if (one.type == "f32") return FoldFloats<float, uint32_t>(one.name, a, b, 0x7fc00000);
  if (one.type == "f64") return FoldFloats<double, uint64_t>(one.name, a, b, 0x7ff8000000000000);
  if (one.type == "i64") return FoldIntegers<int64_t, uint64_t>(one.name, a, b);
  return FoldIntegers<int32_t, uint32_t>(one.name, a, b);
}

// What lane `i` is told, by the values of those lanes that take part.
uint64_t Told(const Collective& one, const std::map<uint32_t, uint64_t>& given, uint32_t i,
              uint32_t asked) {
  const bool quad = one.name.starts_with("quad_");
  const uint32_t size = quad ? 4 : 32;
  if (one.shuffles) {
    const uint32_t wanted = one.name.find("xor") != std::string::npos ? asked ^ i : asked;
    const auto found = given.find(i / size * size + wanted % size);
    return found == given.end() ? 0 : found->second;
  }
  const bool votes = one.name.ends_with("any") || one.name.ends_with("all");
  uint64_t told = 0;
  bool first = true;
  for (auto [lane, value] : given) {
    if (quad && lane / 4 != i / 4) continue;
    if (one.name.starts_with("inclusive") && lane > i) continue;
    if (one.name.starts_with("exclusive") && lane >= i) continue;
    if (votes) value = value != 0 ? 1 : 0;
    if (one.name.ends_with("ballot")) value = value != 0 ? 1u << lane % size : 0;
    told = first ? value : Fold(one, told, value);
    first = false;
  }
  return told;
}

class CollectivesTest : public ::testing::Test {
 protected:
  SchedulerSettings Settings() {
    SchedulerSettings settings;
    settings.engine_host_path = WB_ENGINE_HOST;
    settings.cache_directory = folder_.path() + "/cache";
    settings.start_on_interpreter = false;
    return settings;
  }

  static std::vector<InstanceResult> Run(Scheduler& scheduler, JobSpec spec, JobId id) {
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(scheduler.Submit(id, std::move(spec), sink).ok());
    sink->AwaitEnd();
    EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
    return sink->Results();
  }

  TemporaryFolder folder_;
};

JobSpec AllJob(const std::vector<Collective>& all, uint64_t instances) {
  static const auto module = ModuleOf(GuestWat(AllCollectives()));
  JobSpec spec = NumberJob(module, instances);
  const auto constant = [](uint32_t value) {
    return Operand{Operand::Source::kConstant, Value::I32(value), 0, 0, 0};
  };
  spec.steps.push_back(
      ReadStep{constant(0), constant(static_cast<uint32_t>(all.size() * 8)), "told"});
  return spec;
}

// One instance's answers, by the definition.
void ExpectTold(const std::vector<Collective>& all, const InstanceResult& result,
                uint64_t instances) {
  const uint64_t n = result.instance;
  const size_t last = LastCall(n, all.size());
  if (TrapAt(n, all.size()) == last && last < all.size()) {
    EXPECT_EQ(result.trap, Trap::kUnreachable) << n;
    return;
  }
  ASSERT_EQ(result.end, End::kReturned) << n;
  ASSERT_EQ(result.outputs.size(), 1u);
  for (size_t k = 0; k < all.size(); ++k) {
    uint64_t told = 0;
    std::memcpy(&told, result.outputs[0].bytes.data() + k * 8, 8);
    std::map<uint32_t, uint64_t> given;
    for (uint64_t m = n / 32 * 32; m < std::min(n / 32 * 32 + 32, instances); ++m) {
      if (LastCall(m, all.size()) > k)
        given[static_cast<uint32_t>(m % 32)] = Given(all[k].type, m, k);
    }
    const uint64_t expected =
        k < last ? Told(all[k], given, static_cast<uint32_t>(n % 32), LaneAsked(n, k)) : 0;
    ASSERT_EQ(told, expected) << all[k].name << " of instance " << n;
  }
}

TEST_F(CollectivesTest, EachIsAsItsDefinitionSaysWholeAndInSlices) {
  const std::vector<Collective> all = AllCollectives();
  JobId id = 1;
  for (const uint64_t slice : {uint64_t{1} << 62, uint64_t{70}}) {
    SchedulerSettings settings = Settings();
    settings.cpu.slice_fuel = settings.interpreter.slice_fuel = slice;
    auto scheduler = CreateScheduler(settings).value();
    for (const uint64_t instances : {1, 31, 32, 33, 500}) {
      std::map<uint64_t, uint64_t> fuel;
      for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
        SCOPED_TRACE(std::string(PlacementName(placement)) + " " + std::to_string(instances));
        JobSpec spec = AllJob(all, instances);
        spec.placement = placement;
        const auto results = Run(*scheduler, std::move(spec), id++);
        ASSERT_EQ(results.size(), instances);
        for (const InstanceResult& result : results) {
          ASSERT_NO_FATAL_FAILURE(ExpectTold(all, result, instances));
          EXPECT_EQ(fuel.try_emplace(result.instance, result.fuel).first->second, result.fuel);
        }
      }
    }
  }
}

// ---- groups that lose instances, or start again.

constexpr std::string_view kSumImport =
    R"((import "gpu_std" "sum_i32" (func $sum (param i32) (result i32))))";

TEST_F(CollectivesTest, AGroupAtDifferentCollectivesEndsInATrap) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (import "gpu_std" "ballot" (func $ballot (param i32) (result i32)))
    (func (export "run") (param $n i32) (result i32)
      (if (i32.eq (local.get $n) (i32.const 40)) (then (return (call $ballot (i32.const 1)))))
      (call $sum (i32.const 1))))
  )");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(module, 70);
    spec.placement = placement;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      if (result.instance / 32 == 1) {
        EXPECT_EQ(result.trap, Trap::kCollectiveMismatch) << result.instance;
      } else {
        EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(result.instance < 32 ? 32 : 6));
      }
    }
  }
}

TEST_F(CollectivesTest, AFailedAssertionHasItsCodeAndALogIsAnOutput) {
  const auto module = ModuleOf(R"((module
    (import "gpu_std" "log" (func $log (param i32 i32)))
    (import "gpu_std" "assert" (func $assert (param i32 i32)))
    (memory 1)
    (data (i32.const 16) "seven, ")
    (func (export "run") (param $n i32) (result i32)
      (call $log (i32.const 16) (local.get $n))
      (call $assert (i32.ne (local.get $n) (i32.const 3)) (i32.const -42))
      (call $log (i32.const 16) (i32.const 2))
      (if (i32.eq (local.get $n) (i32.const 5))
        (then (call $log (i32.const 65535) (i32.const 2))))
      (local.get $n))))");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(module, 7);
    spec.placement = placement;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      const auto n = static_cast<size_t>(result.instance);
      ASSERT_EQ(result.outputs.size(), 1u);
      EXPECT_EQ(result.outputs[0].name, "log");
      std::string log = std::string("seven, ").substr(0, n);
      if (n == 3) {
        EXPECT_EQ(result.trap, Trap::kAssertionFailed);
        EXPECT_EQ(static_cast<int32_t>(result.exit_code), -42);
      } else {
        log += "se";
        EXPECT_EQ(result.trap, n == 5 ? Trap::kOutOfBoundsMemory : Trap::kNone);
      }
      EXPECT_EQ(AsText(result.outputs[0].bytes), log);
    }
  }
}

// Instance 40 runs until its fuel is used up, and its group waits for that.
TEST_F(CollectivesTest, WhoNeverComesIsWaitedForUntilItEnds) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (func (export "run") (param $n i32) (result i32)
      (loop $l (br_if $l (i32.eq (local.get $n) (i32.const 40))))
      (call $sum (i32.const 1))))
  )");
  auto scheduler = CreateScheduler(Settings()).value();
  JobId id = 1;
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(module, 64);
    spec.placement = placement;
    spec.limits.max_fuel = 3000000;
    for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
      if (result.instance == 40) {
        EXPECT_EQ(result.end, End::kOutOfFuel);
      } else {
        EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(result.instance < 32 ? 32 : 31));
      }
    }
  }
}

// Between two meetings one grows its memory, and recurses deeply: more than lanes reserve.
TEST_F(CollectivesTest, AGroupOfWhichOneNeedsMoreStartsAgain) {
  const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (memory 1 4000)
    (func $deep (param $n i32) (result i32)
      (if (i32.eqz (local.get $n)) (then (return (i32.const 0))))
      (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1)))))
    (func (export "run") (param $n i32) (result i32)
      (local $a i32)
      (local.set $a (call $sum (local.get $n)))
      (if (i32.eq (i32.rem_u (local.get $n) (i32.const 37)) (i32.const 3))
        (then
          (drop (memory.grow (i32.const 1500)))
          (i32.store (i32.const 90000000) (call $deep (i32.const 5000)))
          (local.set $a (i32.add (local.get $a) (i32.load (i32.const 90000000))))))
      (call $sum (local.get $a))))
  )");
  SchedulerSettings settings = Settings();
  auto scheduler = CreateScheduler(settings).value();
  JobId id = 1;
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(module, 200);
    spec.placement = placement;
    spec.limits.max_memory_bytes = 200 << 20;
    const auto results = Run(*scheduler, std::move(spec), id++);
    ASSERT_EQ(results.size(), 200u);
    for (const InstanceResult& result : results) {
      const uint32_t first = static_cast<uint32_t>(result.instance) / 32 * 32;
      const uint32_t end = std::min(first + 32, 200u);
      uint32_t sum = 0, deep = 0;
      for (uint32_t n = first; n < end; ++n) {
        sum += n;
        deep += n % 37 == 3 ? 5000 : 0;
      }
      EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(sum * (end - first) + deep))
          << result.instance;
    }
  }
}

JobSpec LongJob(uint64_t instances) {
  static const auto module = ModuleOf("(module " + std::string(kSumImport) + R"(
    (func (export "run") (param $n i32) (result i32)
      (local $i i32) (local $h i32)
      (loop $l
        (local.set $h (call $sum (i32.add (local.get $n) (i32.mul (local.get $h) (i32.const 5)))))
        (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1)))
                            (i32.const 20000))))
      (local.get $h)))
  )");
  return NumberJob(module, instances);
}

uint32_t LongResult(uint64_t instance, uint64_t instances) {
  const uint64_t first = instance / 32 * 32, end = std::min(first + 32, instances);
  uint32_t h = 0;
  for (int i = 0; i < 20000; ++i) {
    uint32_t sum = 0;
    for (uint64_t n = first; n < end; ++n) sum += static_cast<uint32_t>(n) + h * 5;
    h = sum;
  }
  return h;
}

TEST_F(CollectivesTest, AnEngineThatDiesChangesNoResult) {
  SchedulerSettings settings = Settings();
  settings.cpu.burst_max_duration = std::chrono::milliseconds(20);
  auto scheduler = CreateScheduler(settings).value();
  auto sink = std::make_shared<RecordingSink>();
  JobSpec spec = LongJob(100);
  spec.placement = Placement::kCpu;
  ASSERT_TRUE(scheduler->Submit(1, std::move(spec), sink).ok());
  sink->AwaitProgress([](const JobProgress& progress) { return progress.usage.bursts >= 2; });
  ::kill(static_cast<pid_t>(scheduler->Devices()[0].host_pid), SIGKILL);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
  ASSERT_EQ(sink->Results().size(), 100u);
  for (const InstanceResult& result : sink->Results()) {
    EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(LongResult(result.instance, 100)));
  }
}

// Results that were stored do not come twice, though their instances run with their group.
TEST_F(CollectivesTest, AnEarlierSchedulersHalfGroupRunsAgainAndBringsTheRest) {
  auto scheduler = CreateScheduler(Settings()).value();
  auto before = std::make_shared<JobBefore>();
  before->finished.Add(0, 40);
  before->finished.Add(64, 3);
  JobSpec spec = LongJob(70);
  spec.before = before;
  const auto results = Run(*scheduler, std::move(spec), 1);
  ASSERT_EQ(results.size(), 27u);
  for (const InstanceResult& result : results) {
    EXPECT_FALSE(before->finished.Contains(result.instance));
    EXPECT_EQ(result.steps.at(0).values.at(0), Value::I32(LongResult(result.instance, 70)));
  }
}

TEST_F(CollectivesTest, WhatIsLeftOfAHalfGroupEndsByALimitOnce) {
  auto scheduler = CreateScheduler(Settings()).value();
  auto before = std::make_shared<JobBefore>();
  before->finished.Add(0, 40);
  before->finished.Add(64, 3);
  JobSpec spec = LongJob(70);
  spec.before = before;
  spec.limits.max_total_fuel = 1000;
  const auto results = Run(*scheduler, std::move(spec), 1);
  ASSERT_EQ(results.size(), 27u);
  for (const InstanceResult& result : results) {
    EXPECT_FALSE(before->finished.Contains(result.instance));
  }
}

TEST_F(CollectivesTest, WhatAGroupCannotHaveIsRefused) {
  JobSpec on_gpu = LongJob(10);
  on_gpu.placement = Placement::kGpu;
  EXPECT_EQ(PlanJob(on_gpu, {}).status().reason(), Reason::kInvalidArgument);
  JobSpec asking = LongJob(10);
  asking.host_imports.emplace_back();
  EXPECT_EQ(PlanJob(asking, {}).status().reason(), Reason::kInvalidArgument);
  EXPECT_EQ(PlanJob(LongJob(10), {}).value().group, 32u);
  EXPECT_EQ(PlanJob(NumberJob(NumberModule(), 10), {}).value().group, 1u);
}

// ---- random programs: every engine, whole and in slices, comes to the same.

class RandomGuest {
 public:
  explicit RandomGuest(uint64_t seed) : state_(seed * 2 + 1) {}
  std::string Wat() {
    std::string body;
    for (int i = 0; i < 12; ++i) body += Statement();
    return "(module " + imports_ + R"(
      (func (export "run") (param $n i32) (result i64)
        (local $i i32) (local $i32 i32) (local $i64 i64) (local $f32 f32) (local $f64 f64)
        (local.set $i32 (i32.mul (local.get $n) (i32.const -1640531527)))
        (local.set $i64 (i64.extend_i32_s (local.get $i32)))
        (local.set $f32 (f32.convert_i32_s (local.get $i32)))
        (local.set $f64 (f64.convert_i32_u (local.get $i32)))
        (block $end )" +
           body + R"()
        (i64.xor (i64.xor (i64.extend_i32_u (local.get $i32)) (local.get $i64))
                 (i64.xor (i64.extend_i32_u (i32.reinterpret_f32 (local.get $f32)))
                          (i64.reinterpret_f64 (local.get $f64))))))
    )";
  }

 private:
  uint32_t Pick(uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % below;
  }
  std::string Number(uint32_t below) { return std::to_string(Pick(below)); }

  std::string Collect() {
    static const std::vector<Collective> all = AllCollectives();
    const Collective& one = all[Pick(static_cast<uint32_t>(all.size()))];
    const std::string name = "$c" + std::to_string(count_++);
    imports_ += "(import \"gpu_std\" \"" + one.name + "\" (func " + name + " (param " + one.type +
                (one.shuffles ? " i32" : "") + ") (result " + one.type + ")))";
    return "(local.set $" + one.type + " (call " + name + " (local.get $" + one.type + ")" +
           (one.shuffles ? " (i32.add (local.get $n) (i32.const " + Number(40) + "))" : "") + "))";
  }

  // Loops differ in length from instance to instance; the number of meetings in them does not.
  std::string Statement() {
    switch (Pick(6)) {
      case 0:
        return "(local.set $i (i32.rem_u (i32.add (local.get $n) (i32.const " + Number(99) +
               ")) (i32.const 29))) (loop $l (local.set $i32 (i32.rotl (i32.add (local.get $i32) "
               "(local.get $i)) (i32.const 7))) (br_if $l (i32.gt_s (local.tee $i (i32.sub "
               "(local.get $i) (i32.const 1))) (i32.const 0))))";
      case 1:
        return "(local.set $i (i32.const " + Number(5) + ")) (loop $l " + Collect() +
               "(br_if $l (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) "
               "(i32.const 0))))";
      case 2:  // it returns
        return "(br_if $end (i32.eq (i32.rem_u (local.get $n) (i32.const " +
               std::to_string(17 + Pick(90)) + ")) (i32.const " + Number(17) + ")))";
      case 3:  // it traps, seldom
        return "(if (i32.eq (i32.rem_u (i32.shr_u (local.get $i32) (i32.const 3)) (i32.const 61)) "
               "(i32.const " +
               Number(61) + ")) (then (unreachable)))";
      default: return Collect();
    }
  }

  uint64_t state_;
  uint32_t count_ = 0;
  std::string imports_;
};

TEST_F(CollectivesTest, RandomProgramsComeToTheSameEverywhere) {
  std::vector<std::unique_ptr<Scheduler>> schedulers;
  for (const uint64_t slice : {uint64_t{1} << 62, uint64_t{23}}) {
    SchedulerSettings settings = Settings();
    settings.cpu.slice_fuel = settings.interpreter.slice_fuel = slice;
    schedulers.push_back(CreateScheduler(settings).value());
  }
  JobId id = 1;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const auto module = ModuleOf(RandomGuest(seed).Wat());
    std::map<uint64_t, std::string> first;
    for (const auto& scheduler : schedulers) {
      for (const Placement placement : {Placement::kInterpreter, Placement::kCpu}) {
        JobSpec spec = NumberJob(module, 70);
        spec.placement = placement;
        for (const InstanceResult& result : Run(*scheduler, std::move(spec), id++)) {
          std::string meaning = std::string(EndName(result.end)) + std::to_string(result.fuel);
          for (const StepResult& step : result.steps) {
            for (const Value& value : step.values) meaning += " " + std::to_string(value.bits());
          }
          EXPECT_EQ(first.try_emplace(result.instance, meaning).first->second, meaning)
              << "seed " << seed << ", instance " << result.instance;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wb::test
