// Functions as large as real ones, through the cpu device: records equal to the interpreter's word
// for word, whole and in slices.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "compiler/passes/cut/plan_cuts.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/emit/large_module.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

constexpr uint64_t kMaxFuel = 100'000;

double Seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

constexpr CutSizes kNoCuts = {.whole = 0xffffffffu};

void ExpectEqualRuns(const std::string& wat, Flattening flattening, uint64_t max_fuel = kMaxFuel,
                     const CutSizes& sizes = {}) {
  auto wasm = Assemble(wat);
  ASSERT_TRUE(wasm.ok()) << wasm.status().ToString();
  auto module = Module::Decode(*wasm);
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto lowered = Lower(*module, {}, {}, sizes);
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  auto whole = Lower(*module, {}, {}, kNoCuts);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  CpuSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.compile.max_time = std::chrono::minutes(20);  // on a busy machine
  auto device = CreateCpuDevice(settings);
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  const auto begin = std::chrono::steady_clock::now();
  auto cpu = LanesUnderTest::Build(std::move(*device), *lowered, {.flattening = flattening});
  ASSERT_TRUE(cpu.ok()) << cpu.status().ToString();
  std::printf("%zu bytes of wasm: printed and compiled in %.1f s\n", wasm->size(), Seconds(begin));
  auto interpreter = LanesUnderTest::Build(CreateInterpreterDevice({}), *whole);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().ToString();
  auto expected = interpreter->Run("f0", false, max_fuel);
  ASSERT_TRUE(expected.ok()) << expected.status().ToString();
  uint32_t returned = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (expected->record(lane)[abi::RECORD_END] == static_cast<uint32_t>(End::kReturned))
      ++returned;
  }
  EXPECT_GT(returned, kLanes / 2);
  for (bool slices : {false, true}) {
    auto run = cpu->Run("f0", slices, max_fuel);
    ASSERT_TRUE(run.ok()) << run.status().ToString();
    EXPECT_EQ(Difference(*expected, *run), "") << (slices ? "in slices" : "");
  }
}

// Four times as large takes clang half a minute; its text is looked at in text_test.
TEST(LargeFunctionTest, ALadderOfAThousandBlocks) {
  ExpectEqualRuns(LadderModule(1025, 1024), Flattening::kWhereNeeded);
}

TEST(LargeFunctionTest, NestsOfEveryDepthAroundTheLimit) {
  for (uint32_t depth : {30u, 62u, 110u}) {
    SCOPED_TRACE(depth);
    ExpectEqualRuns(NestModule(depth), Flattening::kWhereNeeded);
  }
  ExpectEqualRuns(NestModule(60), Flattening::kAlways);
  ExpectEqualRuns(NestModule(60), Flattening::kMixed);
}

// The cases of a switch in parts: the same as in one piece.
TEST(LargeFunctionTest, ALadderInParts) {
  constexpr CutSizes kSizes = {.whole = 300, .most = 200, .least = 20, .call = 4};
  const std::string wat = LadderModule(129, 128);
  const auto whole = Lower(Module::Decode(Assemble(wat).value()).value(), {}, {}, kNoCuts).value();
  const std::vector<RowRange> cuts = PlanCuts(whole->program.functions[0], kSizes);
  EXPECT_TRUE(std::any_of(cuts.begin(), cuts.end(),
                          [](const RowRange& cut) { return cut.labels.size() > 1; }));
  ExpectEqualRuns(wat, Flattening::kWhereNeeded, kMaxFuel, kSizes);
}

// The largest function of the modules looked at has 122,000 instructions and 572 locals.
TEST(LargeFunctionTest, ThousandsOfInstructionsOverManyLocals) {
  ExpectEqualRuns(HugeModule(4'000, 572), Flattening::kWhereNeeded);
}

TEST(LargeFunctionTest, AFunctionInParts) {
  ExpectEqualRuns(HugeModule(8'000, 80), Flattening::kWhereNeeded);
}

// Beyond what a compiler keeps in registers.
TEST(LargeFunctionTest, VariablesLeftInMemory) {
  ExpectEqualRuns(HugeModule(20'000, 572), Flattening::kWhereNeeded, kMaxFuel, kNoCuts);
}
TEST(LargeFunctionTest, TheLargestFunctionSeen) {
  if (std::getenv("WB_LARGEST_FUNCTION") == nullptr) {
    GTEST_SKIP() << "It takes clang half a minute; WB_LARGEST_FUNCTION=1 runs it.";
  }
  ExpectEqualRuns(HugeModule(122'000, 572), Flattening::kWhereNeeded, 10 * kMaxFuel);
}

}  // namespace
}  // namespace wb::test
