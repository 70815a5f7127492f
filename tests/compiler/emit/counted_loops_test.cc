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
// Whole; with fuel that ends in most loops, and slices that leave in most rounds; and slices such
// that a loop is left and then goes on in one piece.
struct Way {
  uint64_t fuel;
  uint32_t slice;
};
constexpr Way kWays[] = {{20'000, 0}, {400, 1}, {20'000, 25}};

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
  const uint64_t modules = Wanted("WB_RANDOM_MODULES", 2);
  LoopCounts counts;
  for (uint64_t seed = first; seed < first + modules; ++seed) {
    SCOPED_TRACE("WB_RANDOM_SEED=" + std::to_string(seed));
    const Loops loops(seed);
    Count(*loops.module, &counts);
    LanesUnderTest interpreter = OnInterpreter(loops.module);
    LanesUnderTest cpu = OnCpu(loops.module, MemoryLayout::kContiguous);
    LanesUnderTest interleaved = OnCpu(loops.module, MemoryLayout::kInterleaved);
    for (LanesUnderTest* lanes : {&interpreter, &cpu, &interleaved}) {
      ASSERT_EQ(loops.Compare(*lanes), "") << (lanes == &cpu ? "cpu" : "another");
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
bool Differs(const LeftOut& left_out, const std::vector<Loops>& all) {
  bool changed = false;
  const TextChange change = [&](std::string& text) {
    const std::string less =
        std::regex_replace(text, std::regex(left_out.pattern), left_out.instead);
    changed = changed || less != text;
    text = less;
  };
  for (const Loops& loops : all) {
    // Where memory is contiguous an address may be odd.
    LanesUnderTest cpu = OnCpu(loops.module, MemoryLayout::kInterleaved, change);
    if (!loops.Compare(cpu).empty()) return true;
  }
  EXPECT_TRUE(changed) << "no text has the test on " << left_out.what;
  return false;
}

TEST(CountedLoops, EachTestBeforeThemIsNeeded) {
  std::vector<Loops> all;
  for (uint64_t seed = 1; seed <= 4; ++seed) all.emplace_back(seed);
  for (const LeftOut& left_out : kLeftOut) {
    EXPECT_TRUE(Differs(left_out, all)) << left_out.what;
  }
}

}  // namespace
}  // namespace wb::test
