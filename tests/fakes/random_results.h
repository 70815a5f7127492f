#pragma once

// Results of all kinds, most of them like the one before: what columns of results are tried with.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "scheduler/job/job.h"

namespace wb::test {

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

inline void ExpectSame(const InstanceResult& a, const InstanceResult& b) {
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

}  // namespace wb::test
