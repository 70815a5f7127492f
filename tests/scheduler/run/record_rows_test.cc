// Records that are alike become rows without a result in between: the same ones.

#include "scheduler/run/seats/record_rows.h"

#include <gtest/gtest.h>

#include <random>

#include "scheduler/run/seats/record.h"
#include "tests/fakes/random_results.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

const Origin kOrigin = {"cpu0", true, KernelBuild::kQuick};

// Two calls, of which the first may go on after a trap; values of all widths, and references.
JobPlan PlanOfCalls() {
  JobSpec spec;
  spec.module = ModuleOf(R"((module (memory 1)
      (func (export "f") (result i32 f64 funcref) (i32.const 0) (f64.const 0) (ref.null func))
      (func (export "g") (result i64) (i64.const 0))))");
  spec.steps = {CallStep{"f", {}, true}, CallStep{"g", {}, false}};
  spec.instances = 4;
  return PlanJob(std::move(spec), {}).value();
}

class RandomRecords {
 public:
  explicit RandomRecords(const JobPlan& plan)
      : plan_(plan), record_(abi::RECORD_REGISTERS + plan.program.register_words) {
    record_[abi::RECORD_SEAT] = abi::SEAT_DONE;
    record_[abi::RECORD_STEP] = 3;
  }

  const std::vector<uint32_t>& Next() {
    if (random_() % 4 == 0) ChangeEnd();
    record_[abi::RECORD_FUEL_LO] = static_cast<uint32_t>(random_());
    for (size_t i = abi::RECORD_REGISTERS; i < record_.size(); ++i) {
      record_[i] = static_cast<uint32_t>(random_());
    }
    const uint32_t trap = plan_.program.steps[0].trap_at + abi::RECORD_REGISTERS;
    record_[trap] = random_() % 8 == 0 ? static_cast<uint32_t>(Trap::kUnreachable) : 0;
    record_[trap + 1] = 0;
    return record_;
  }

 private:
  void ChangeEnd() {
    static constexpr End kEndings[] = {End::kReturned, End::kReturned, End::kTrapped, End::kExited,
                                       End::kOutOfFuel};
    const End end = kEndings[random_() % std::size(kEndings)];
    record_[abi::RECORD_END] = static_cast<uint32_t>(end);
    record_[abi::RECORD_PAGES] = 1 + random_() % 2;
    record_[abi::RECORD_STEP] = end == End::kReturned ? 3 : random_() % 3;
    record_[abi::RECORD_TRAP] = static_cast<uint32_t>(Trap::kUnreachable);
    record_[abi::RECORD_TRAP_FUNCTION] = random_() % 2;
    record_[abi::RECORD_TRAP_OFFSET] = random_() % 3;
  }

  const JobPlan& plan_;
  std::vector<uint32_t> record_;
  std::mt19937 random_{17};
};

TEST(RecordRowsTest, AreWhatEachRecordIsByItself) {
  const JobPlan plan = PlanOfCalls();
  RandomRecords records(plan);
  RecordRows rows;
  ResultBatch batch;
  std::vector<InstanceResult> expected;
  for (uint64_t i = 0; i < 2000; ++i) {
    const std::vector<uint32_t>& record = records.Next();
    const InstanceRef instance{i * 3, i < 1000 ? 1u : 2u, {}, nullptr, 0};
    std::optional<InstanceResult> result = DecodeRecord(plan, record);
    ASSERT_TRUE(result) << i;
    Sign(instance, kOrigin, *result);
    expected.push_back(*std::move(result));
    ASSERT_TRUE(rows.Add(plan, record, std::nullopt, instance, kOrigin, &batch)) << i;
  }
  ASSERT_EQ(batch.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) ExpectSame(expected[i], batch.At(i));
}

TEST(RecordRowsTest, WhatNoSoundEngineWritesIsNoRow) {
  const JobPlan plan = PlanOfCalls();
  RandomRecords records(plan);
  RecordRows rows;
  ResultBatch batch;
  std::vector<uint32_t> record = records.Next();
  record[abi::RECORD_END] = 200;
  EXPECT_FALSE(rows.Add(plan, record, std::nullopt, {1, 1, {}, nullptr, 0}, kOrigin, &batch));
  EXPECT_TRUE(batch.empty());
}

}  // namespace
}  // namespace wb::test
