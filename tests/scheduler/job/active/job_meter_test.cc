#include "scheduler/job/active/job_meter.h"

#include <gtest/gtest.h>

#include <utility>

namespace wb {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kSubmitted{1h};

InstanceResult ResultOf(uint64_t fuel, size_t output) {
  InstanceResult result;
  result.fuel = fuel;
  result.outputs.push_back({"row", Bytes(output)});
  return result;
}

// What is left of it.
InstanceResult CountOne(JobMeter& meter, InstanceResult result) {
  ResultBatch batch;
  batch.Add(std::move(result));
  meter.Count(batch);
  return batch.At(0);
}

JobMeter MeterOf(JobLimits limits) { return JobMeter(limits, kSubmitted); }

TEST(JobMeter, NothingIsReachedWhereThereIsNoLimit) {
  JobMeter meter = MeterOf({});
  CountOne(meter, ResultOf(uint64_t{1} << 62, 1 << 20));
  meter.RecordSeated(0, uint64_t{1} << 63);
  EXPECT_FALSE(meter.IsOver(TimePoint::max()));
  EXPECT_EQ(meter.deadline(), std::nullopt);
  EXPECT_EQ(meter.FuelPerLane(1), ~uint64_t{0});
  EXPECT_EQ(meter.MostSeated(), ~uint64_t{0});
  EXPECT_EQ(meter.Words(), "");
}

TEST(JobMeter, FuelIsOfTheEndedAndOfTheSeated) {
  JobLimits limits;
  limits.max_total_fuel = 1000000;
  JobMeter meter = MeterOf(limits);
  CountOne(meter, ResultOf(400000, 0));
  EXPECT_EQ(meter.FuelPerLane(10), 60000u);
  EXPECT_EQ(meter.MostSeated(), 600000u / 4096);
  meter.RecordSeated(0, 500000);
  EXPECT_EQ(meter.FuelPerLane(10), 10000u);
  EXPECT_EQ(meter.FuelPerLane(1000), 4096u);  // no launch for less
  EXPECT_FALSE(meter.IsOver(kSubmitted));
  meter.RecordSeated(500000, 100000);  // they start again, or have ended
  EXPECT_EQ(meter.FuelPerLane(10), 50000u);
  meter.RecordSeated(100000, 600000);
  EXPECT_EQ(meter.MostSeated(), 1u) << "one instance must go on";
  EXPECT_TRUE(meter.IsOver(kSubmitted));
  EXPECT_EQ(meter.reached(), End::kJobOutOfFuel);
  meter.RecordSeated(600000, 0);
  EXPECT_TRUE(meter.IsOver(kSubmitted)) << "what is reached stays so";
  EXPECT_NE(meter.Words().find("max_total_fuel: [1000000]"), std::string::npos) << meter.Words();
}

TEST(JobMeter, OfABatchThoseAreCutThatDoNotFit) {
  JobLimits limits;
  limits.max_results_bytes = 100;
  JobMeter meter = MeterOf(limits);
  ResultBatch batch;
  for (size_t bytes : {60, 50, 40, 0}) batch.Add(ResultOf(5, bytes));
  EXPECT_EQ(batch.bytes(), 150u);
  meter.Count(batch);
  ASSERT_EQ(batch.size(), 4u);
  EXPECT_EQ(batch.bytes(), 60u);
  EXPECT_EQ(batch.fuel(), 20u);
  EXPECT_EQ(batch.count(End::kResultsLimit), 2u);
  EXPECT_EQ(batch.At(1).end, End::kResultsLimit);
  EXPECT_EQ(batch.At(2).end, End::kResultsLimit) << "it would fit, but a limit stays reached";
  EXPECT_EQ(batch.At(3).end, End::kReturned);
}

TEST(JobMeter, ResultsAreCutAtTheByte) {
  JobLimits limits;
  limits.max_results_bytes = 100;
  JobMeter meter = MeterOf(limits);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(CountOne(meter, ResultOf(1, 50)).outputs.size(), 1u);
  }
  EXPECT_FALSE(meter.IsOver(kSubmitted)) << "all of it is used, and no instance was cut";
  const InstanceResult over = CountOne(meter, ResultOf(7, 1));
  EXPECT_EQ(over.end, End::kResultsLimit);
  EXPECT_EQ(over.fuel, 7u);
  EXPECT_TRUE(over.outputs.empty());
  EXPECT_EQ(meter.reached(), End::kResultsLimit);
  const InstanceResult empty = CountOne(meter, ResultOf(1, 0));
  EXPECT_EQ(empty.end, End::kReturned) << "it brought nothing that could be over the limit";
  EXPECT_NE(meter.Words().find("[100] bytes for all results together, [100] used"),
            std::string::npos);
}

TEST(JobMeter, ValuesCountByTheirWords) {
  InstanceResult result;
  result.steps.resize(2);
  result.steps[0].values = {Value::I32(1), Value::I64(2)};
  result.steps[1].values = {Value::I32(3)};
  EXPECT_EQ(ResultBytes(result), 16u);
}

TEST(JobMeter, OfTwoTimesTheEarlierHoldsAndEachHasItsEnd) {
  JobLimits limits;
  limits.max_total_time = 10s;
  limits.max_time = 3s;
  JobMeter early = MeterOf(limits);
  EXPECT_EQ(early.deadline(), kSubmitted + 10s);
  early.StartClock(kSubmitted + 1s);
  early.StartClock(kSubmitted + 5s);  // the first turn counts
  EXPECT_EQ(early.deadline(), kSubmitted + 4s);
  EXPECT_FALSE(early.IsOver(kSubmitted + 4s - 1ns));
  EXPECT_TRUE(early.IsOver(kSubmitted + 4s));
  EXPECT_EQ(early.reached(), End::kDeadline);
  EXPECT_NE(early.Words().find("max_time: [3000] ms"), std::string::npos);
  JobMeter late = MeterOf(limits);
  late.StartClock(kSubmitted + 9s);
  EXPECT_EQ(late.deadline(), kSubmitted + 10s);
  EXPECT_TRUE(late.IsOver(kSubmitted + 10s));
  EXPECT_EQ(late.reached(), End::kExpired);
}

TEST(JobMeter, FuelOfAnEarlierSchedulerIsUsedHereToo) {
  JobLimits limits;
  limits.max_total_fuel = 1000000;
  JobBefore before;
  before.fuel = 400000;
  JobMeter meter(limits, kSubmitted, &before);
  EXPECT_EQ(meter.used_fuel(), 400000u);
  EXPECT_EQ(meter.FuelPerLane(10), 60000u);
  CountOne(meter, ResultOf(600000, 0));
  EXPECT_EQ(meter.reached(), End::kJobOutOfFuel);
  EXPECT_NE(meter.Words().find("[1000000] used"), std::string::npos) << meter.Words();
  before.fuel = 1000001;
  JobMeter over(limits, kSubmitted, &before);
  EXPECT_TRUE(over.IsOver(kSubmitted));
  EXPECT_EQ(over.FuelPerLane(1), 4096u);
}

TEST(JobMeter, BytesOfEarlierResultsLeaveRoomForTheOthersAlone) {
  JobLimits limits;
  limits.max_results_bytes = 100;
  JobBefore before;
  before.result_bytes = 90;
  JobMeter meter(limits, kSubmitted, &before);
  EXPECT_FALSE(meter.IsOver(kSubmitted));
  EXPECT_EQ(CountOne(meter, ResultOf(1, 10)).end, End::kReturned);
  EXPECT_EQ(CountOne(meter, ResultOf(1, 1)).end, End::kResultsLimit);
  before.result_bytes = 101;  // more than there could be
  JobMeter full(limits, kSubmitted, &before);
  EXPECT_EQ(CountOne(full, ResultOf(1, 1)).end, End::kResultsLimit);
}

TEST(JobMeter, TimesGoOnFromWhereTheyWere) {
  JobLimits limits;
  limits.max_total_time = 10s;
  limits.max_time = 3s;
  JobBefore before;
  before.age = 4s;
  before.clock_ran = 1s;
  JobMeter meter(limits, kSubmitted, &before);
  EXPECT_EQ(meter.deadline(), kSubmitted + 6s);
  meter.StartClock(kSubmitted + 1s);
  EXPECT_EQ(meter.deadline(), kSubmitted + 3s);
  EXPECT_FALSE(meter.IsOver(kSubmitted + 3s - 1ns));
  EXPECT_TRUE(meter.IsOver(kSubmitted + 3s));
  EXPECT_EQ(meter.reached(), End::kDeadline);
}

TEST(JobMeter, ATimeThatIsOverNeedsNoTurn) {
  JobLimits limits;
  limits.max_total_time = 10s;
  limits.max_time = 3s;
  JobBefore before;
  before.clock_ran = 3s;
  JobMeter ran(limits, kSubmitted, &before);
  EXPECT_TRUE(ran.IsOver(kSubmitted));
  EXPECT_EQ(ran.reached(), End::kDeadline);
  before.age = 10s;
  JobMeter expired(limits, kSubmitted, &before);
  EXPECT_TRUE(expired.IsOver(kSubmitted));
  EXPECT_EQ(expired.reached(), End::kExpired);
}

TEST(JobMeter, WithoutLimitsAnEarlierSchedulersFuelIsShownAlone) {
  JobBefore before;
  before.fuel = 7;
  before.result_bytes = before.clock_ran.max().count();
  before.age = 10000h;
  JobMeter meter({}, kSubmitted, &before);
  CountOne(meter, ResultOf(5, 100));
  EXPECT_EQ(meter.used_fuel(), 12u);
  EXPECT_FALSE(meter.IsOver(kSubmitted + 10000h));
}

}  // namespace
}  // namespace wb
