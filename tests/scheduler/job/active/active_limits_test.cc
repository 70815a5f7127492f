// The limits of a whole job: what its instances use of them, and how those end that wait.

#include "scheduler/job/active/active_limits.h"

#include "tests/scheduler/job/active/fixture.h"

namespace wb::test {
namespace {

class ActiveLimitsTest : public ActiveJobTest {
 protected:
  // Its two instances are seated and have used so much of kFuel, together.
  ActiveJobRef JobThatUsed(uint64_t fuel) {
    JobLimits limits;
    limits.max_total_fuel = kFuel;
    const ActiveJobRef job = JobOf(2, 100, limits);
    seated_ = InstancesOf(job->Seat(kCpu, {}, 2));
    EXPECT_EQ(seated_.size(), 2u);
    job->limits.RecordSeatedFuel(0, fuel);
    return job;
  }

  static constexpr uint64_t kFuel = 1'000'000;
  std::vector<InstanceRef> seated_;
};

TEST_F(ActiveLimitsTest, AtItsDeadlineWhoWaitsEndsWithoutRoom) {
  JobLimits limits;
  limits.max_total_time = std::chrono::seconds(1);
  const ActiveJobRef job = JobOf(30, 12, limits);
  const Claim seated = job->Seat(kCpu, {}, 8);
  std::vector<InstanceRef> instances = InstancesOf(seated);
  instances[5].attempt = 2;
  job->Unseat(kCpu, {instances[7], instances[4], instances[3], instances[5]});
  EXPECT_EQ(sink_->reserved(), 4u);
  EXPECT_FALSE(job->limits.IsOver(clock_.Now()));
  EXPECT_TRUE(job->limits.IsOver(clock_.Now() + std::chrono::seconds(1)));
  job->limits.EndOver();
  EXPECT_EQ(sink_->Results().size(), 26u);
  EXPECT_EQ(sink_->ranges(), 4u);  // 3 and 4, 5 in its second attempt, 7, 8 to 29
  EXPECT_EQ(sink_->Results()[2].attempt, 2u);
  EXPECT_EQ(sink_->Results()[2].end, End::kExpired);
  EXPECT_FALSE(job->AllFinished());
  job->Deliver(kCpu, ResultsOf({instances[0], instances[1], instances[2], instances[6]}));
  EXPECT_TRUE(job->AllFinished());
  EXPECT_EQ(sink_->reserved(), 0u);
  EXPECT_FALSE(sink_->overflowed());
}

TEST_F(ActiveLimitsTest, WhoStartsAgainHasUsedNothing) {
  const ActiveJobRef job = JobThatUsed(600'000);
  EXPECT_EQ(job->limits.FuelPerLane(4), 100'000u);
  job->limits.RecordLeftFuel(600'000);
  job->Unseat(kCpu, seated_);
  EXPECT_EQ(job->limits.FuelPerLane(4), 250'000u);
}

TEST_F(ActiveLimitsTest, WhatAStateHasUsedCountsWhileItWaits) {
  const ActiveJobRef job = JobThatUsed(600'000);
  const auto state = std::make_shared<MovedLane>();
  state->fuel = 400'000;
  seated_[1].moved = state;
  job->limits.RecordLeftFuel(600'000);
  job->Unseat(kCpu, seated_);
  EXPECT_EQ(job->limits.FuelPerLane(4), 150'000u);
  EXPECT_EQ(job->Seat(kCpu, {}, 2).returned(), 2u);
  EXPECT_EQ(job->limits.FuelPerLane(4), 250'000u) << "from here on the device says it";
}

TEST_F(ActiveLimitsTest, WhatWasUsedStaysUsedOnceTheJobIsOver) {
  const ActiveJobRef job = JobThatUsed(kFuel);
  EXPECT_TRUE(job->limits.IsOver(clock_.Now()));
  job->limits.RecordLeftFuel(kFuel);
  job->Unseat(kCpu, seated_);
  job->limits.EndOver();
  job->Finish({});
  EXPECT_EQ(sink_->usage().fuel, kFuel);
  EXPECT_NE(sink_->usage().limit.find("max_total_fuel"), std::string::npos);
  ASSERT_EQ(sink_->Results().size(), 2u);
  EXPECT_EQ(sink_->Results()[1].end, End::kJobOutOfFuel);
}

}  // namespace
}  // namespace wb::test
