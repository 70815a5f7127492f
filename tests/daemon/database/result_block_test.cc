#include "daemon/database/result_block.h"

#include <gtest/gtest.h>

#include <random>

namespace wb {
namespace {

class RandomResults {
 public:
  explicit RandomResults(uint64_t seed) : random_(seed) {}

  std::vector<InstanceResult> Make(size_t count) {
    std::vector<InstanceResult> results;
    for (size_t i = 0; i < count; ++i) results.push_back(Next());
    return results;
  }

 private:
  uint64_t Number(uint64_t below) { return random_() % below; }
  bool Seldom() { return Number(8) == 0; }

  Value NextValue() {
    static constexpr ValueType kTypes[] = {
        ValueType::kI32,  ValueType::kI64,     ValueType::kF32,      ValueType::kF64,
        ValueType::kV128, ValueType::kFuncRef, ValueType::kExternRef};
    Value value;
    value.type = kTypes[Seldom() ? Number(7) : 0];
    for (uint32_t i = 0; i < TypeWords(value.type); ++i) {
      value.words[i] = static_cast<uint32_t>(random_());
    }
    return value;
  }

  StepResult NextStep() {
    StepResult step;
    if (Seldom()) {
      step.trap = Trap::kUnreachable;
      step.trap_function = static_cast<uint32_t>(random_());
      step.trap_offset = static_cast<uint32_t>(random_());
      step.trap_module = "part";
      return step;
    }
    const uint64_t values = Seldom() ? Number(4) : 1;
    for (uint64_t i = 0; i < values; ++i) step.values.push_back(NextValue());
    return step;
  }

  InstanceResult Next() {
    InstanceResult result;
    instance_ = Seldom() ? random_() >> Number(64) : instance_ + 1;
    result.instance = instance_;
    result.fuel = random_() >> Number(64);
    result.memory_pages = static_cast<uint32_t>(Seldom() ? Number(65537) : 1);
    result.device = Seldom() ? "cuda1" : "cpu0";
    result.build = Seldom() ? KernelBuild::kQuick : KernelBuild::kFull;
    const uint64_t steps = Seldom() ? Number(5) : 1;
    for (uint64_t i = 0; i < steps; ++i) result.steps.push_back(NextStep());
    if (Seldom()) Trapped(&result);
    if (Seldom()) {
      result.outputs.push_back({"out", Bytes(Number(300), 7)});
      result.outputs.push_back({"", {}});
    }
    if (Seldom()) result.host_error = std::string("no \0 answer", 11);
    return result;
  }

  void Trapped(InstanceResult* result) {
    result->end = End::kTrapped;
    result->trap = Trap::kOutOfBoundsMemory;
    result->trap_function = static_cast<uint32_t>(random_());
    result->trap_offset = static_cast<uint32_t>(random_());
    result->trap_module = "main";
    result->exit_code = static_cast<uint32_t>(random_());
    result->attempt = static_cast<uint32_t>(Number(4));
    result->step = static_cast<uint32_t>(Number(9));
    result->fast32 = true;
    result->backtrace = {{1, 2, "main"}, {3, 4, "part"}};
    result->backtrace_error = "none";
  }

  std::mt19937_64 random_;
  uint64_t instance_ = 0;
};

void ExpectSame(const InstanceResult& a, const InstanceResult& b) {
  EXPECT_EQ(a.instance, b.instance);
  EXPECT_EQ(a.attempt, b.attempt);
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.trap, b.trap);
  EXPECT_EQ(a.trap_function, b.trap_function);
  EXPECT_EQ(a.trap_offset, b.trap_offset);
  EXPECT_EQ(a.exit_code, b.exit_code);
  EXPECT_EQ(a.trap_module, b.trap_module);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.fuel, b.fuel);
  EXPECT_EQ(a.memory_pages, b.memory_pages);
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.fast32, b.fast32);
  EXPECT_EQ(a.build, b.build);
  EXPECT_EQ(a.host_error, b.host_error);
  EXPECT_EQ(a.backtrace, b.backtrace);
  EXPECT_EQ(a.backtrace_error, b.backtrace_error);
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (size_t i = 0; i < a.steps.size(); ++i) {
    EXPECT_EQ(a.steps[i].values, b.steps[i].values);
    EXPECT_EQ(a.steps[i].trap, b.steps[i].trap);
    EXPECT_EQ(a.steps[i].trap_function, b.steps[i].trap_function);
    EXPECT_EQ(a.steps[i].trap_offset, b.steps[i].trap_offset);
    EXPECT_EQ(a.steps[i].trap_module, b.steps[i].trap_module);
  }
  ASSERT_EQ(a.outputs.size(), b.outputs.size());
  for (size_t i = 0; i < a.outputs.size(); ++i) {
    EXPECT_EQ(a.outputs[i].name, b.outputs[i].name);
    EXPECT_EQ(a.outputs[i].bytes, b.outputs[i].bytes);
  }
}

Bytes BlockOf(const std::vector<InstanceResult>& results) {
  ResultBlockWriter writer;
  for (const InstanceResult& result : results) writer.Add(result);
  return std::move(writer).Take();
}

TEST(ResultBlock, ReadsWhatWasWritten) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<InstanceResult> results = RandomResults(seed).Make(seed * 3);
    const auto read = ReadResultBlock(BlockOf(results), 0, UINT64_MAX);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ASSERT_EQ(read->size(), results.size());
    for (size_t i = 0; i < results.size(); ++i) ExpectSame(results[i], (*read)[i]);
  }
}

TEST(ResultBlock, ReadsAPart) {
  const std::vector<InstanceResult> results = RandomResults(1).Make(100);
  const auto read = ReadResultBlock(BlockOf(results), 30, 20);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 20u);
  ExpectSame(results[30], read->front());
  ExpectSame(results[49], read->back());
  EXPECT_TRUE(ReadResultBlock(BlockOf(results), 200, 20)->empty());
}

// Most results: a value of 32 bits, little fuel.
TEST(ResultBlock, SmallResultsTakeAFewBytes) {
  std::vector<InstanceResult> results(1000);
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].instance = i;
    results[i].fuel = 1000;
    results[i].device = "cuda0";
    results[i].steps.emplace_back().values.push_back(Value::I32(7));
  }
  EXPECT_LT(BlockOf(results).size(), 8 * results.size());
}

TEST(ResultBlock, ARangeIsMadeWhenItIsRead) {
  const Bytes block = RangeBlock({1000, uint64_t{1} << 40, 3, End::kExpired});
  EXPECT_LT(block.size(), 20u);
  const auto read = ReadResultBlock(block, 5, 10);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), 10u);
  EXPECT_EQ(read->front().instance, 1005u);
  EXPECT_EQ(read->front().end, End::kExpired);
  EXPECT_EQ(read->front().attempt, 3u);
}

TEST(ResultBlock, DamagedBytesAreRefusedOrRead) {
  const std::vector<InstanceResult> results = RandomResults(7).Make(40);
  const Bytes block = BlockOf(results);
  for (size_t size = 0; size < block.size(); ++size) {
    EXPECT_FALSE(ReadResultBlock(ByteView(block).first(size), 0, UINT64_MAX).ok()) << size;
  }
  // What stands there may still be a block: the checksum of the store tells.
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    Bytes damaged = block;
    damaged[random() % damaged.size()] ^= static_cast<uint8_t>(1u << random() % 8);
    (void)ReadResultBlock(damaged, 0, 1000);
  }
}

}  // namespace
}  // namespace wb
