// Random loops that are counted (random_loops.h) give the same records, word for word, on the cpu
// device in both layouts and in the interpreter, whole and in slices that leave in every round.
// Each test that stands before a counted loop is needed: without it some record differs.
//
// More than the usual few: WB_RANDOM_MODULES=100 WB_RANDOM_SEED=1000 wb_counted_loops_tests

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/emit/random_loops.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

constexpr uint32_t kLoopFunctions = 40;
// Enough for all loops, and not for most.
constexpr uint64_t kLoopFuels[] = {20'000, 400};
// None; such that many rounds leave; and such that a loop is left and then goes on in one piece.
constexpr uint32_t kSlices[] = {0, 1, 25};

uint64_t Wanted(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::shared_ptr<const LoweredModule> LoweredOf(const std::string& wat) {
  auto wasm = Assemble(wat);
  if (!wasm.ok()) ADD_FAILURE() << wasm.status().ToString();
  auto lowered = Lower(*Module::Decode(*wasm));
  if (!lowered.ok()) ADD_FAILURE() << lowered.status().ToString();
  return *lowered;
}

LanesUnderTest OnInterpreter(const std::shared_ptr<const LoweredModule>& module) {
  InterpreterSettings settings;
  settings.memory_bytes = uint64_t{1} << 30;
  settings.asserts_facts = true;
  auto lanes = LanesUnderTest::Build(CreateInterpreterDevice(settings), module);
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return std::move(*lanes);
}

LanesUnderTest OnCpu(const std::shared_ptr<const LoweredModule>& module, MemoryLayout layout,
                     const TextChange& change = {}) {
  CpuSettings settings;
  settings.layout = layout;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  if (!device.ok()) ADD_FAILURE() << device.status().ToString();
  auto lanes =
      LanesUnderTest::Build(std::move(*device), module, 0, Flattening::kWhereNeeded, change);
  if (!lanes.ok()) ADD_FAILURE() << lanes.status().ToString();
  return std::move(*lanes);
}

struct LoopCounts {
  uint32_t loops = 0, counted = 0, known = 0, slots = 0;
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
    }
  }
}

TEST(CountedLoops, EveryEngineAndEverySliceAgree) {
  const uint64_t first = Wanted("WB_RANDOM_SEED", 1);
  const uint64_t modules = Wanted("WB_RANDOM_MODULES", 3);
  LoopCounts counts;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const auto module = LoweredOf(MakeRandomLoops(seed, kLoopFunctions));
    Count(*module, &counts);
    LanesUnderTest interpreter = OnInterpreter(module);
    LanesUnderTest cpu = OnCpu(module, MemoryLayout::kContiguous);
    LanesUnderTest interleaved = OnCpu(module, MemoryLayout::kInterleaved);
    for (uint32_t i = 0; i < kLoopFunctions; ++i) {
      const std::string name = "f" + std::to_string(i);
      for (const uint64_t fuel : kLoopFuels) {
        const auto wanted = interpreter.Run(name, false, fuel);
        ASSERT_TRUE(wanted.ok()) << wanted.status().ToString();
        for (LanesUnderTest* lanes : {&cpu, &interleaved, &interpreter}) {
          for (const uint32_t slice : kSlices) {
            const auto run = lanes->Run(name, slice, fuel);
            ASSERT_TRUE(run.ok()) << run.status().ToString();
            ASSERT_EQ(Difference(*wanted, *run), "")
                << name << (lanes == &cpu ? " cpu" : " other") << ", slice " << slice;
          }
        }
      }
    }
  }
  // The generator is worth little if few of its loops are counted; some are outer ones.
  EXPECT_GT(3 * counts.counted, counts.loops);
  EXPECT_GT(counts.known, counts.counted / 4);
  EXPECT_GT(counts.slots, counts.counted / 8);
}

// A test that is left out, or a part of one.
struct LeftOut {
  const char* what;
  const char* pattern;
  const char* instead;
};

constexpr LeftOut kLeftOut[] = {
    {"fuel", R"(return !wb_spent\(fuel\) && \(ulong\)rounds \* cost <= \(ulong\)fuel;)",
     "return true;"},
    {"fuel for as many", R"(return \(ulong\)\(rounds < most \? rounds : most\);)",
     "return (ulong)rounds;"},
    {"the rounds that are left", R"(if \(e\d+ == 0u\) \{)", "if (false) {"},
    {"the end of memory", R"(\(ulong\)from \+ span <= size;)",
     "(ulong)from + span <= size + 65536ul;"},
    {"alignment", R"( && \(a\d+_\d+ & 3u\) == 0u)", ""},
    {"words apart", R"(return \(ulong\)a \+ bytes_a <= \(ulong\)b \|\|)", "return true ||"},
    {"where it starts", R"(if \([lt]\d+ == \d+u && wb_fuel)", "if (wb_fuel"},
    {"a bound that is passed", R"(return steps \* step == to - from \? steps \+ 1u : 0u;)",
     "return steps + 1u;"},
    {"a bound near the highest value", R"(return b > 0xffffffffu - step \? 0u : )", "return "},
    {"what is apart after all rounds", R"(return \(ulong\)\(rounds - 1u\) \* per_round \+ bytes;)",
     "return bytes;"},
    {"words go back", R"(wb_word_put\(P\d+_\d+, \d+ul, q\d+_\d+_\d+\);)", ""},
    {"signs", R"((wb_rounds_(below|up_to)\([^\n]*), 0x(8|7)[0-9a-f]*u\))", "$1, 0u)"},
};

// Some export of some module ends otherwise than in the interpreter.
bool Differs(const LeftOut& left_out, MemoryLayout layout) {
  bool changed = false;
  const TextChange change = [&](std::string& text) {
    const std::string less =
        std::regex_replace(text, std::regex(left_out.pattern), left_out.instead);
    changed = changed || less != text;
    text = less;
  };
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    const auto module = LoweredOf(MakeRandomLoops(seed, kLoopFunctions));
    LanesUnderTest interpreter = OnInterpreter(module);
    LanesUnderTest cpu = OnCpu(module, layout, change);
    for (uint32_t i = 0; i < kLoopFunctions; ++i) {
      for (const uint64_t fuel : kLoopFuels) {
        const std::string name = "f" + std::to_string(i);
        const auto wanted = interpreter.Run(name, false, fuel);
        for (const uint32_t slice : kSlices) {
          const auto run = cpu.Run(name, slice, fuel);
          if (!run.ok() || !Difference(*wanted, *run).empty()) return true;
        }
      }
    }
  }
  EXPECT_TRUE(changed) << "no text has the test on " << left_out.what;
  return false;
}

TEST(CountedLoops, EachTestBeforeThemIsNeeded) {
  for (const LeftOut& left_out : kLeftOut) {
    // Where memory is contiguous an address may be odd.
    EXPECT_TRUE(Differs(left_out, MemoryLayout::kInterleaved)) << left_out.what;
  }
}

}  // namespace
}  // namespace wb::test
