// Integer corner cases (integer_table.h) with both operands unknown and with one a constant, equal
// to the reference on the cpu device in both layouts, in the interpreter and in wabt's; and the
// traps, each by its name.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/devices/cpu/cpu_device.h"
#include "scheduler/devices/interpreter/interpreter_device.h"
#include "tests/compiler/emit/integer_table.h"
#include "tests/compiler/emit/lanes_under_test.h"
#include "tests/compiler/runtime/number_samples.h"
#include "tests/compiler/wasm/assemble.h"
#include "tests/oracle/oracle.h"

namespace wb::test {
namespace {

constexpr uint64_t kMaxFuel = uint64_t{1} << 30;

std::unique_ptr<Device> Cpu(MemoryLayout layout) {
  CpuSettings settings;
  settings.layout = layout;
  settings.memory_bytes = uint64_t{1} << 30;
  auto device = CreateCpuDevice(settings);
  EXPECT_TRUE(device.ok()) << device.status().ToString();
  return std::move(device).value();
}

struct Subject {
  const char* name;
  LanesUnderTest lanes;
};

void Build(const std::string& functions, Bytes* wasm, std::vector<Subject>* subjects) {
  auto assembled = Assemble("(module (memory 1 1)\n" + functions + ")");
  ASSERT_TRUE(assembled.ok()) << assembled.status().ToString();
  *wasm = *assembled;
  auto lowered = Lower(*Module::Decode(*wasm));
  ASSERT_TRUE(lowered.ok()) << lowered.status().ToString();
  const auto add = [&](const char* name, std::unique_ptr<Device> device,
                       Effort effort = Effort::kFull) {
    auto lanes = LanesUnderTest::Build(std::move(device), *lowered, {.effort = effort});
    ASSERT_TRUE(lanes.ok()) << lanes.status().ToString();
    subjects->push_back({name, std::move(lanes).value()});
  };
  add("interpreter", CreateInterpreterDevice({.memory_bytes = uint64_t{1} << 30}));
  const std::pair<const char*, MemoryLayout> layouts[] = {
      {"cpu", MemoryLayout::kContiguous},
      {"cpu with interleaved memory", MemoryLayout::kInterleaved},
      {"cpu with tiled memory", MemoryLayout::kTiled},
      {"cpu with hot bytes", MemoryLayout::kHot}};
  for (const auto& [name, layout] : layouts) add(name, Cpu(layout), EffortOf(layout));
}

std::vector<oracle::Value> OracleArguments() {
  std::vector<oracle::Value> args;
  for (uint64_t bits : ArgumentsOf(0))
    args.push_back({static_cast<oracle::Type>(args.size()), bits});
  return args;
}

using DigestOf = uint64_t (*)(const IntegerRow& row, uint64_t a);

// One function of a row on every engine: `memory` is the first KiB of an instance's.
void CheckDigests(const IntegerRow& row, DigestOf digest_of, const uint8_t* memory,
                  const char* engine) {
  const std::vector<uint64_t> corners = CornerBits(row.type);
  for (size_t i = 0; i < corners.size(); ++i) {
    uint64_t digest;
    std::memcpy(&digest, memory + 8 * i, sizeof digest);
    ASSERT_EQ(digest, digest_of(row, corners[i]))
        << row.name << " of [" << corners[i] << "] on " << engine;
  }
}

void CheckTable(ValueType type) {
  const size_t corners = CornerBits(type).size();
  ASSERT_LE(8 * corners, 1024u);  // what is read back
  std::vector<IntegerRow> rows = IntegerTable();
  std::erase_if(rows, [type](const IntegerRow& row) { return row.type != type; });
  std::string functions = CornersSegment(type);
  for (const IntegerRow& row : rows) functions += PairsText(row) + ConstantsText(row);
  Bytes wasm;
  std::vector<Subject> subjects;
  ASSERT_NO_FATAL_FAILURE(Build(functions, &wasm, &subjects));
  for (const IntegerRow& row : rows) {
    for (bool constants : {false, true}) {
      const std::string name = row.name + (constants ? " of constants" : "");
      const DigestOf digest_of = constants ? ConstantsDigest : PairsDigest;
      for (Subject& subject : subjects) {
        auto run = subject.lanes.Run(name, false, kMaxFuel);
        ASSERT_TRUE(run.ok()) << run.status().ToString();
        const auto* memory = reinterpret_cast<const uint8_t*>(run->record(0) + run->output_at);
        ASSERT_NO_FATAL_FAILURE(CheckDigests(row, digest_of, memory, subject.name));
      }
      std::string error;
      auto oracle = oracle::Oracle::Open(wasm, &error);
      ASSERT_NE(oracle, nullptr) << error;
      ASSERT_FALSE(oracle->Call(name, OracleArguments()).trapped);
      ASSERT_NO_FATAL_FAILURE(CheckDigests(row, digest_of, oracle->Memory().data(), "wabt"));
    }
  }
}

TEST(IntegerCornersTest, I32) { CheckTable(ValueType::kI32); }
TEST(IntegerCornersTest, I64) { CheckTable(ValueType::kI64); }

TEST(IntegerCornersTest, Traps) {
  const std::vector<IntegerTrap> cases = IntegerTraps();
  std::string functions;
  for (const IntegerTrap& row : cases) {
    functions +=
        "(func (export \"" + row.name + "\") (param i32 i64 f32 f64) (drop " + row.text + "))\n";
  }
  Bytes wasm;
  std::vector<Subject> subjects;
  ASSERT_NO_FATAL_FAILURE(Build(functions, &wasm, &subjects));
  size_t traps = 0;
  for (const IntegerTrap& row : cases) {
    traps += row.trap != Trap::kNone;
    for (Subject& subject : subjects) {
      auto run = subject.lanes.Run(row.name, false, kMaxFuel);
      ASSERT_TRUE(run.ok()) << run.status().ToString();
      EXPECT_EQ(run->registers(0)[run->trap_at], static_cast<uint32_t>(row.trap))
          << row.name << " on " << subject.name;
    }
    std::string error;
    auto oracle = oracle::Oracle::Open(wasm, &error);
    ASSERT_NE(oracle, nullptr) << error;
    const oracle::Outcome outcome = oracle->Call(row.name, OracleArguments());
    EXPECT_EQ(outcome.trap, TrapWords(row.trap)) << row.name << " in wabt's interpreter";
  }
  EXPECT_EQ(traps, 2u * 2u * (4u * 3u + 1u));  // widths, ways; by zero, and the one overflow
}

}  // namespace
}  // namespace wb::test
