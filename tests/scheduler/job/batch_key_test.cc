// Which jobs may share a dispatch, and how their inputs lie in it.

#include "scheduler/job/batch_key.h"

#include <gtest/gtest.h>

#include <functional>

#include "scheduler/run/seats/seat_table.h"
#include "scheduler/run/seats/seating.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

// Writes its bytes; the first column is one for all or one for each.
JobSpec BytesJob(std::vector<Bytes> rows, uint64_t instances) {
  JobSpec spec = NumberJob(NumberModule(), instances);
  Column bytes;
  bytes.kind = Column::Kind::kBytes;
  bytes.bytes = std::move(rows);
  spec.columns.push_back(bytes);
  spec.steps.push_back(WriteStep{Operand{}, 1});
  return spec;
}

JobPlan PlanOf(JobSpec spec) { return PlanJob(std::move(spec), {}).value(); }

class BatchKeyTest : public ::testing::Test {
 protected:
  static std::optional<Digest> KeyOf(const std::function<void(JobSpec&)>& change,
                                     const PipelineMark& pipeline = {}) {
    JobSpec spec = BytesJob({Bytes(100, 1)}, 1);
    change(spec);
    return ShareKeyOf(PlanOf(std::move(spec)), pipeline);
  }
  const std::optional<Digest> key_ = KeyOf([](JobSpec&) {});
};

TEST_F(BatchKeyTest, InputsTenantsAndTimesMayDiffer) {
  ASSERT_TRUE(key_);
  EXPECT_EQ(KeyOf([](JobSpec& spec) {
              spec.tenant = "a";
              spec.priority = 3;
              spec.limits.max_time = std::chrono::seconds(1);
              spec.limits.max_results_bytes = 10;
              spec.columns[0].start = Value::I32(77);
              spec.columns[1].bytes[0] = Bytes(128, 7);
            }),
            key_);
  EXPECT_EQ(KeyOf([](JobSpec& spec) {
              spec.instances = 2;
              spec.columns[1].bytes = {Bytes(90, 1), Bytes(3, 2)};
            }),
            key_);
}

TEST_F(BatchKeyTest, ConstantArgumentsAreInputs) {
  const auto module = ModuleOf(R"((module
    (func (export "f") (param i32 i64 f64 externref funcref) (result i32) (local.get 0))))");
  const auto plan_of = [&](uint32_t i, double d, uint64_t instances) {
    JobSpec spec;
    spec.module = module;
    const auto constant = [](Value value) { return Operand{Operand::Source::kConstant, value}; };
    spec.steps = {
        CallStep{"f",
                 {constant(Value::I32(i)), constant(Value::I64(5)), constant(Value::F64(d)),
                  constant(Value::Reference(ValueType::kExternRef, 3)),
                  constant(Value::Reference(ValueType::kFuncRef))},
                 false}};
    spec.instances = instances;
    return PlanOf(std::move(spec));
  };
  const JobPlan plan = plan_of(7, 0.5, 2);
  ASSERT_EQ(plan.spec.columns.size(), 3u) << "references are none";
  EXPECT_EQ(plan.program.column_words, 5u);
  EXPECT_EQ(plan.spec.columns[0].At(1), Value::I32(7));
  EXPECT_EQ(plan.spec.columns[2].At(0), Value::F64(0.5));
  EXPECT_EQ(ShareKeyOf(plan_of(8, -1, 1), {}), ShareKeyOf(plan, {}));
  EXPECT_TRUE(plan_of(8, -1, 100'000).spec.columns.empty());
}

// A function reference that is null may be a constant i32, and no input.
TEST_F(BatchKeyTest, ConstantsThatMayNotBeInputsStay) {
  JobSpec spec;
  spec.module = ModuleOf(R"((module (func (export "f") (param i32 funcref))))");
  const Operand null{Operand::Source::kConstant, Value::I32(0xffffffff)};
  spec.steps = {CallStep{"f", {Operand{}, null}, false}};
  spec.instances = 1;
  EXPECT_TRUE(PlanOf(std::move(spec)).spec.columns.empty());
}

TEST_F(BatchKeyTest, WhatADispatchFixesMayNot) {
  const auto differs = [&](const std::function<void(JobSpec&)>& change) {
    const auto key = KeyOf(change);
    return key && key != key_;
  };
  EXPECT_TRUE(differs([](JobSpec& spec) { spec.limits.max_fuel = 1; }));
  EXPECT_TRUE(differs([](JobSpec& spec) { spec.limits.max_stack = 100; }));
  EXPECT_TRUE(differs([](JobSpec& spec) { spec.limits.max_memory_bytes = 1 << 20; }));
  EXPECT_TRUE(differs([](JobSpec& spec) { spec.columns[1].bytes[0] = Bytes(129, 7); }));
  EXPECT_TRUE(differs([](JobSpec& spec) { spec.steps.pop_back(); }));
  EXPECT_TRUE(differs([](JobSpec& spec) { std::swap(spec.steps[0], spec.steps[1]); }));
  EXPECT_TRUE(differs([](JobSpec& spec) {
    spec.steps.push_back(ReadStep{Operand{}, {Operand::Source::kConstant, Value::I32(8)}, "x"});
  }));
  EXPECT_TRUE(differs([](JobSpec& spec) {
    Column more;
    more.values.push_back(Value::I32(1));
    spec.columns.push_back(more);
  }));
}

TEST_F(BatchKeyTest, NorMayThePipeline) {
  const auto same = [](JobSpec&) {};
  EXPECT_NE(KeyOf(same, {.key = Sha256(AsBytes("another"))}), key_);
  EXPECT_NE(KeyOf(same, {.effort = Effort::kQuick}), key_);
  EXPECT_NE(KeyOf(same, {.effort = Effort::kBest}), key_);
  EXPECT_NE(KeyOf(same, {.effort = Effort::kBest}), KeyOf(same, {.effort = Effort::kQuick}));
  EXPECT_NE(KeyOf(same, {.fast32 = true}), key_);
}

TEST_F(BatchKeyTest, SomeShareWithNobody) {
  EXPECT_FALSE(KeyOf([](JobSpec& spec) { spec.limits.max_total_fuel = 1 << 20; }));
  EXPECT_FALSE(KeyOf([](JobSpec& spec) { spec.columns[1].bytes[0] = Bytes((64 << 10) + 1, 7); }));
}

TEST_F(BatchKeyTest, EachJobsBytesLieInItsOwnSeats) {
  const JobPlan first = PlanOf(BytesJob({Bytes(20, 1)}, 2));
  const JobPlan second = PlanOf(BytesJob({Bytes(40, 2), Bytes(7, 3)}, 2));
  const JobPlan batch = BatchPlanOf(first);
  EXPECT_EQ(batch.blob.shared_bytes, 0u);
  EXPECT_EQ(batch.blob.slot_bytes, 64u);
  EXPECT_EQ(SlotsOf(second).slot_bytes, 64u);
  Seating seating;
  seating.lanes = seating.seats = 4;
  auto made = std::make_unique<PlainDispatch>(ShapeOf(batch, seating));
  PlainDispatch& dispatch = *made;
  EXPECT_EQ(dispatch.blob().size(), 4 * 64u);
  SeatTable seats(std::move(made), batch, 100);
  std::vector<uint32_t> of_first;
  std::vector<uint32_t> of_second;
  seats.SeatFor(first, SlotsOf(first), Claim({}, {0, 2}, 1), of_first);
  seats.SeatFor(second, SlotsOf(second), Claim({}, {0, 2}, 1), of_second);
  EXPECT_EQ(of_first, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(of_second, (std::vector<uint32_t>{2, 3}));
  const auto column = [&](uint32_t word, uint32_t seat) {
    return dispatch.columns()[word * 4 + seat];
  };
  const uint32_t at = first.program.column_at[1];
  const uint32_t sizes[] = {20, 20, 40, 7};
  const uint8_t values[] = {1, 1, 2, 3};
  for (uint32_t seat = 0; seat < 4; ++seat) {
    EXPECT_EQ(column(at, seat), seat * 64);
    EXPECT_EQ(column(at + 1, seat), sizes[seat]);
    EXPECT_EQ(dispatch.blob()[seat * 64 + sizes[seat] - 1], values[seat]);
  }
}

TEST_F(BatchKeyTest, WhoLeavesMakesRoomInTheLowestSeatsFirst) {
  const JobPlan plan = PlanOf(NumberJob(NumberModule(), 10));
  Seating seating;
  seating.lanes = seating.seats = 4;
  auto made = std::make_unique<PlainDispatch>(ShapeOf(BatchPlanOf(plan), seating));
  PlainDispatch& dispatch = *made;
  const auto state = [&](uint32_t seat) -> uint32_t& {
    return dispatch.records()[seat * size_t{dispatch.shape().RecordWords()}];
  };
  SeatTable seats(std::move(made), plan, 100);
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  seats.SeatFor(plan, plan.blob, Claim({}, {0, 3}, 1), a);
  seats.SeatFor(plan, plan.blob, Claim({}, {5, 1}, 1), b);
  EXPECT_EQ(seats.free_seats(), 0u);
  state(0) = abi::SEAT_RUNNING;
  state(1) = abi::SEAT_DONE;
  state(3) = abi::SEAT_RUNNING;
  dispatch.records()[dispatch.shape().RecordWords() + abi::RECORD_STEP] = 2;
  const Harvest harvest = seats.CollectFrom(plan, {"cpu0", false}, a);
  ASSERT_EQ(harvest.results.size(), 1u);
  EXPECT_EQ(harvest.results.At(0).instance, 1u);
  EXPECT_EQ(a, (std::vector<uint32_t>{0, 2}));
  const auto waiting = seats.Vacate(a, SeatTable::Which::kNotStarted);
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0].instance, 2u);
  EXPECT_EQ(state(2), uint32_t{abi::SEAT_EMPTY});
  const auto all = seats.Vacate(a, SeatTable::Which::kAll);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].instance, 0u);
  EXPECT_EQ(state(0), uint32_t{abi::SEAT_EMPTY});
  EXPECT_EQ(state(3), uint32_t{abi::SEAT_RUNNING}) << "another job's";
  seats.LowestFirst();
  seats.SeatFor(plan, plan.blob, Claim({}, {8, 2}, 1), a);
  EXPECT_EQ(a, (std::vector<uint32_t>{0, 1}));
}

}  // namespace
}  // namespace wb::test
