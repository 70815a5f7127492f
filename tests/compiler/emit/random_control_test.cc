// Random structured functions (random_module.h) give the same records, word for word, on the cpu
// device and the interpreter, whole and in slices that leave at every safepoint, in both layouts,
// printed as they should be and flattened; and the same results, traps and memory in wabt's
// interpreter.
//
// Functions in which a mistake was found once are kept by hand below.
//
// More than the usual few: WB_RANDOM_MODULES=100 WB_RANDOM_SEED=1000 wb_random_control_tests

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/emit/random_module.h"
#include "tests/compiler/ir/small_parts.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/oracle/oracle.h"

namespace wb::test {
namespace {

constexpr uint32_t kFunctions = 12;
constexpr uint64_t kMaxFuel = 3000;

uint64_t Setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::unique_ptr<Device> Cpu(MemoryLayout layout) {
  CpuSettings settings;
  settings.layout = layout;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  if (!device.ok()) {
    ADD_FAILURE() << device.status().ToString();
    return nullptr;
  }
  return std::move(device).value();
}

std::unique_ptr<Device> Interpreter() {
  InterpreterSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.asserts_facts = true;
  return CreateInterpreterDevice(settings);
}

struct Subject {
  const char* name;
  LanesUnderTest lanes;
};

// How the lanes of all runs ended, so that a generator that only traps is noticed.
struct Ends {
  uint64_t returned = 0, trapped = 0, out_of_fuel = 0, launches = 0;
};

bool OutOfFuel(const LaneRun& run, uint32_t lane) {
  return run.record(lane)[abi::RECORD_END] == static_cast<uint32_t>(End::kOutOfFuel);
}

void Count(const LaneRun& run, Ends* ends) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (OutOfFuel(run, lane)) {
      ++ends->out_of_fuel;
    } else if (run.registers(lane)[run.trap_at] != 0) {
      ++ends->trapped;
    } else {
      ++ends->returned;
    }
  }
  ends->launches += run.launches;
}

void CheckFunction(std::vector<Subject>& subjects, const std::string& name, uint32_t max_stack,
                   Ends* ends) {
  LaneRun first;
  for (Subject& subject : subjects) {
    for (bool slices : {false, true}) {
      auto run = subject.lanes.Run(name, slices, kMaxFuel, max_stack);
      ASSERT_TRUE(run.ok()) << name << ": " << run.status().ToString();
      if (first.records.empty()) first = *run;
      const std::string difference = Difference(first, *run);
      ASSERT_EQ(difference, "") << name << " on " << subject.name << (slices ? " in slices" : "");
      Count(*run, ends);
    }
  }
}

std::shared_ptr<const LoweredModule> MustLower(const RandomModule& random,
                                               const CutSizes& sizes = {}) {
  auto wasm = Assemble(random.wat);
  if (!wasm.ok()) ADD_FAILURE() << wasm.status().ToString();
  auto module = Module::Decode(wasm.value());
  if (!module.ok()) ADD_FAILURE() << module.status().ToString();
  auto lowered = Lower(module.value(), {}, {}, sizes);
  if (!lowered.ok()) ADD_FAILURE() << lowered.status().ToString();
  return lowered.value();
}

// Whole functions, or parts of them.
Flattening FlatteningOf(uint64_t seed) {
  return seed % 2 == 0 ? Flattening::kAlways : Flattening::kMixed;
}

Subject MakeSubject(const char* name, std::unique_ptr<Device> device,
                    const std::shared_ptr<const LoweredModule>& module,
                    const BuildChoice& choice = {}) {
  auto lanes = LanesUnderTest::Build(std::move(device), module, choice);
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return {name, std::move(lanes).value()};
}

// Every export of a module on every device, on one of them flattened.
void CheckModule(const RandomModule& random, Flattening flattening, Ends* ends) {
  const auto module = MustLower(random);
  std::vector<Subject> subjects;
  subjects.push_back(MakeSubject("cpu", Cpu(MemoryLayout::kContiguous), module));
  subjects.push_back(MakeSubject("cpu, flattened", Cpu(MemoryLayout::kContiguous), module,
                                 {.flattening = flattening}));
  subjects.push_back(MakeSubject("interpreter", Interpreter(), module));
  const auto cut = MustLower(random, kSmallParts);
  subjects.push_back(MakeSubject("interpreter, cut", Interpreter(), cut));
  subjects.push_back(MakeSubject("cpu with interleaved memory, cut",
                                 Cpu(MemoryLayout::kInterleaved), cut,
                                 {.effort = EffortOf(MemoryLayout::kInterleaved)}));
  subjects.push_back(MakeSubject("cpu with tiled memory", Cpu(MemoryLayout::kTiled), module,
                                 {.effort = EffortOf(MemoryLayout::kTiled)}));
  subjects.push_back(MakeSubject("cpu with hot bytes", Cpu(MemoryLayout::kHot), module));
  for (size_t i = 0; i < random.results.size(); ++i) {
    CheckFunction(subjects, "f" + std::to_string(i), kMaxStackSlots, ends);
  }
}

// The same with recursion: calls that leave and calls that are native, and a stack that ends.
TEST(RandomControlTest, RecursionAgrees) {
  const uint64_t first = Setting("WB_RANDOM_SEED", 1);
  const uint64_t modules = Setting("WB_RANDOM_MODULES", 2);
  Ends ends;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const RandomModule random = MakeRandomModule(seed, 4, Nans::kAsTheyCome, Calls::kRecursive);
    const auto module = MustLower(random);
    std::vector<Subject> subjects;
    subjects.push_back(MakeSubject("interpreter", Interpreter(), module));
    subjects.push_back(MakeSubject("cpu", Cpu(MemoryLayout::kContiguous), module));
    subjects.push_back(
        MakeSubject("cpu, two copies", Cpu(MemoryLayout::kContiguous), module, {.copies = 2}));
    subjects.push_back(MakeSubject("cpu, two copies, flattened", Cpu(MemoryLayout::kContiguous),
                                   module, {.copies = 2, .flattening = FlatteningOf(seed)}));
    const auto cut = MustLower(random, kSmallParts);
    subjects.push_back(MakeSubject("interpreter, cut", Interpreter(), cut));
    subjects.push_back(MakeSubject("cpu, interleaved, cut, one copy",
                                   Cpu(MemoryLayout::kInterleaved), cut,
                                   {.copies = 1, .effort = EffortOf(MemoryLayout::kInterleaved)}));
    for (size_t i = 0; i < random.results.size(); ++i) {
      const std::string name = "f" + std::to_string(i);
      for (uint32_t max_stack : {kMaxStackSlots, 300u}) {
        CheckFunction(subjects, name, max_stack, &ends);
      }
    }
  }
  // In the smaller stack most of those end that return in the other.
  EXPECT_GT(2 * ends.returned, ends.trapped);
  EXPECT_GT(ends.trapped, 0u);
}

TEST(RandomControlTest, EveryEngineAndEverySliceAgree) {
  const uint64_t first = Setting("WB_RANDOM_SEED", 1);
  const uint64_t modules = Setting("WB_RANDOM_MODULES", 2);
  Ends ends;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    CheckModule(MakeRandomModule(seed, kFunctions), FlatteningOf(seed), &ends);
  }
  std::printf("%llu lanes returned, %llu trapped, %llu ran out of fuel; %llu launches\n",
              static_cast<unsigned long long>(ends.returned),
              static_cast<unsigned long long>(ends.trapped),
              static_cast<unsigned long long>(ends.out_of_fuel),
              static_cast<unsigned long long>(ends.launches));
  // The generator is worth little if most functions end at once.
  EXPECT_GT(ends.returned, 2 * ends.trapped);
  EXPECT_GT(ends.trapped, 0u);
}

// ---- wabt's interpreter, which shares nothing with ours but the binary

uint64_t Bits(const uint32_t* words, ValueType type) {
  return TypeWords(type) == 2 ? words[0] | uint64_t{words[1]} << 32 : words[0];
}

// One lane against a fresh instance of wabt's: trap, results, the first KiB of memory.
void CheckLane(const Bytes& wasm, const std::string& name, const std::vector<ValueType>& results,
               const LaneRun& run, uint32_t lane) {
  std::string error;
  auto oracle = oracle::Oracle::Open(wasm, &error);
  ASSERT_NE(oracle, nullptr) << error;
  std::vector<oracle::Value> args;
  for (uint64_t bits : ArgumentsOf(lane)) {
    args.push_back({static_cast<oracle::Type>(args.size()), bits});
  }
  const oracle::Outcome outcome = oracle->Call(name, args);
  const uint32_t* registers = run.registers(lane);
  const Trap trap = static_cast<Trap>(registers[run.trap_at]);
  EXPECT_EQ(TrapWords(trap), outcome.trapped ? outcome.trap : "") << "lane " << lane;
  if (!outcome.trapped && trap == Trap::kNone) {
    ASSERT_EQ(outcome.results.size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(Bits(registers, results[i]), outcome.results[i].bits)
          << "lane " << lane << " result " << i;
      registers += TypeWords(results[i]);
    }
  }
  const std::vector<uint8_t> memory = oracle->Memory();
  EXPECT_EQ(std::memcmp(memory.data(), run.record(lane) + run.output_at, 1024), 0)
      << "lane " << lane << ": memory differs";
}

// Counts a module that is compared; wabt has one memory.
void CheckAgainstWabt(uint64_t seed, Calls calls, uint32_t* compared) {
  const RandomModule random = MakeRandomModule(seed, kFunctions, Nans::kCanonical, calls);
  if (random.wat.find("(memory $second") != std::string::npos) return;
  ++*compared;
  auto wasm = Assemble(random.wat);
  ASSERT_TRUE(wasm.ok()) << wasm.status().ToString();
  auto lowered = Lower(*Module::Decode(*wasm));
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  auto lanes = LanesUnderTest::Build(Interpreter(), *lowered);
  ASSERT_TRUE(lanes.ok()) << lanes.status().ToString();
  for (size_t i = 0; i < random.results.size(); ++i) {
    const std::string name = "f" + std::to_string(i);
    SCOPED_TRACE(name);
    auto run = lanes->Run(name, false, kMaxFuel);
    ASSERT_TRUE(run.ok()) << run.status().ToString();
    for (uint32_t lane = 0; lane < kLanes; lane += 4) {
      if (OutOfFuel(*run, lane)) continue;  // might never end there
      CheckLane(*wasm, name, random.results[i], *run, lane);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(RandomControlTest, WabtAgrees) {
  const uint64_t first = Setting("WB_RANDOM_SEED", 1);
  const uint64_t modules = 2 * Setting("WB_RANDOM_MODULES", 2);
  uint32_t compared = 0;
  for (uint64_t seed = first; seed < first + modules && !HasFailure(); ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    CheckAgainstWabt(seed, Calls::kDag, &compared);
    CheckAgainstWabt(seed, Calls::kRecursive, &compared);
  }
  EXPECT_GT(compared, modules);  // of twice as many
}

constexpr const char* kFoundBefore = R"((module
  (memory (export "memory") 1 1)
  ;; The condition of a select that waits on the stack reads a local that changes meanwhile.
  (func (export "f0") (param i32 i64 f32 f64) (result i32) (local i32)
    (loop $top
      (select (i32.const 1) (i32.const 2) (i32.lt_u (local.get 0) (i32.const 5)))
      (local.set 0 (i32.add (local.get 0) (i32.const 1)))
      (local.set 4 (i32.add (local.get 4)))
      (br_if $top (i32.lt_u (local.get 0) (i32.const 9))))
    (local.get 4))
))";

TEST(RandomControlTest, MistakesFoundBeforeStayAway) {
  RandomModule module;
  module.wat = kFoundBefore;
  module.results = {{ValueType::kI32}};
  Ends ends;
  CheckModule(module, Flattening::kAlways, &ends);
}

}  // namespace
}  // namespace wb::test
