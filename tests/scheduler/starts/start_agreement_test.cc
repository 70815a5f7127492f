// Instances behind a common start end as those that begin at their own: results, traps with their
// place, fuel, memory and globals.

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/scheduler/devices/rig.h"
#include "tests/scheduler/starts/random_start.h"
#include "tests/scheduler/starts/start_rig.h"

namespace wb::test {
namespace {

constexpr uint32_t kLanes = 5;

Work WorkOfSeed(uint64_t seed) {
  Work work = WorkOf(LowerText(RandomStartModule(seed)), kLanes);
  Operand wide = Arg(0);
  wide.value = Value::I64(seed * 31);
  work.steps = {Call("run", {ColumnArg(0), wide}, true), Call("again", {ColumnArg(0)}, true)};
  return work;
}

std::vector<uint32_t> ResultsOf(Device& device, const Work& work, const Slicing& slicing) {
  return OfInstances(Records(device, work, slicing), work.Shape().RecordWords());
}

// Slices that end everywhere, also in what the beginning has paid.
const Slicing kSlicings[] = {{}, {997, 13, 500}, {211, 5, 100}};

uint64_t Seeds() {
  const char* wanted = std::getenv("WB_RANDOM_MODULES");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 150;
}

TEST(StartAgreementTest, InstancesEndAlikeOnTheInterpreter) {
  uint64_t started_modules = 0;
  for (uint64_t seed = 1; seed <= Seeds(); ++seed) {
    Work work = WorkOfSeed(seed);
    std::string log;
    const LoweredModuleRef started = StartedOf(work.module, "run", "again", &log);
    ASSERT_EQ(log, "") << seed;
    if (started == nullptr) continue;
    ++started_modules;
    const std::vector<uint32_t> plain = ResultsOf(Interpreter(), work, {});
    work.module = started;
    for (const Slicing& slicing : kSlicings) {
      ASSERT_EQ(ResultsOf(Interpreter(), work, slicing), plain) << seed << "\n"
                                                                << RandomStartModule(seed);
    }
  }
  EXPECT_GE(started_modules * 3, Seeds());
}

class StartOnEngineTest : public testing::TestWithParam<size_t> {};

TEST_P(StartOnEngineTest, InstancesEndAlike) {
  Device& device = *Engines()[GetParam()].device;
  int left = 4;
  for (uint64_t seed = 1000; left > 0; ++seed) {
    Work work = WorkOfSeed(seed);
    std::string log;
    const LoweredModuleRef started = StartedOf(work.module, "run", "again", &log);
    if (started == nullptr) continue;
    --left;
    const std::vector<uint32_t> plain = ResultsOf(Interpreter(), work, {});
    work.module = started;
    for (const Slicing& slicing : kSlicings) {
      ASSERT_EQ(ResultsOf(device, work, slicing), plain) << seed << "\n" << RandomStartModule(seed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StartOnEngineTest, testing::Range<size_t>(0, kEngines),
                         [](const auto& param) { return Engines()[param.param].name; });

}  // namespace
}  // namespace wb::test
