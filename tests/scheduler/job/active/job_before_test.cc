// A job that goes on where an earlier scheduler stopped.

#include <set>

#include "tests/scheduler/job/active/fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class JobBeforeTest : public ActiveJobTest {
 protected:
  // Of 20 instances 0 to 9, 12 and 19 have finished; they used 1,200.
  static JobBefore TwelveOfTwenty() {
    JobBefore before;
    before.finished.Add(0, 10);
    before.finished.Add(12, 1);
    before.finished.Add(19, 1);
    before.fuel = 1200;
    return before;
  }
  ActiveJobRef Resume(JobBefore before, const JobLimits& limits = {}) {
    return JobOf(20, 100, limits, std::make_shared<JobBefore>(std::move(before)));
  }
};

TEST_F(JobBeforeTest, ProgressCountsTheFinishedAndNothingOfThemIsLeft) {
  const ActiveJobRef job = Resume(TwelveOfTwenty());
  job->Publish();
  EXPECT_EQ(sink_->progress().finished, 12u);
  EXPECT_EQ(sink_->progress().usage.fuel, 1200u);
  EXPECT_EQ(job->Left().waiting, 8u);
  EXPECT_EQ(job->Left().fuel_per_instance, 100);
  EXPECT_EQ(job->Waiting(kCpu), (Backlog::Sizes{{{}, 8}}));
  EXPECT_FALSE(job->AllFinished());
}

TEST_F(JobBeforeTest, ItEndsWithTheOthersInALaterAttempt) {
  const ActiveJobRef job = Resume(TwelveOfTwenty());
  std::vector<InstanceRef> seated = InstancesOf(job->Seat(kCpu, {}, 100));
  const std::set<uint64_t> missing = {10, 11, 13, 14, 15, 16, 17, 18};
  std::set<uint64_t> instances;
  for (const InstanceRef& instance : seated) {
    EXPECT_EQ(instance.attempt, 2u);
    EXPECT_EQ(instance.seat_class.deaths, 0u);
    instances.insert(instance.instance);
  }
  EXPECT_EQ(instances, missing);
  std::vector<InstanceResult> results = ResultsOf(seated);
  for (InstanceResult& result : results) result.fuel = 10;
  job->Deliver(kCpu, std::move(results));
  EXPECT_TRUE(job->AllFinished());
  EXPECT_FALSE(job->Left().is_whole) << "some may have ended by a limit before";
  job->Finish({});
  EXPECT_FALSE(sink_->cancelled());
  EXPECT_EQ(sink_->usage().fuel, 1280u);
}

TEST_F(JobBeforeTest, AtALimitNoFinishedInstanceEndsAgain) {
  JobLimits limits;
  limits.max_total_time = 60s;
  JobBefore before = TwelveOfTwenty();
  before.age = 60s;
  before.attempt = 4;
  const ActiveJobRef job = Resume(std::move(before), limits);
  std::vector<InstanceRef> seated = InstancesOf(job->Seat(kCpu, {}, 1));
  ++seated[0].attempt;
  job->Unseat(kCpu, seated);
  EXPECT_TRUE(job->limits.IsOver(clock_.Now()));
  job->limits.EndOver();
  EXPECT_TRUE(job->AllFinished());
  EXPECT_EQ(sink_->ranges(), 3u);  // 10 in its own attempt, 11, 13 to 18
  const std::vector<InstanceResult> results = sink_->Results();
  ASSERT_EQ(results.size(), 8u);
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.attempt, result.instance == 10 ? 5u : 4u);
    EXPECT_EQ(result.end, End::kExpired);
    EXPECT_TRUE(result.instance == 10 || result.instance == 11 ||
                (result.instance >= 13 && result.instance <= 18));
  }
  EXPECT_EQ(sink_->reserved(), 0u);
}

TEST_F(JobBeforeTest, OfFuelAsMuchIsLeftAsWasNotUsedBefore) {
  JobLimits limits;
  limits.max_total_fuel = 101200;
  const ActiveJobRef job = Resume(TwelveOfTwenty(), limits);
  EXPECT_EQ(job->limits.FuelPerLane(2), 50000u);
  EXPECT_EQ(job->Seat(kCpu, {}, 20).size(), 8u);
  job->limits.RecordSeatedFuel(0, 100000);
  EXPECT_TRUE(job->limits.IsOver(clock_.Now()));
}

TEST_F(JobBeforeTest, AJobThatIsDoneIsDone) {
  JobBefore before;
  before.finished.Add(0, 20);
  before.fuel = 33;
  const ActiveJobRef job = Resume(std::move(before));
  EXPECT_TRUE(job->AllFinished());
  EXPECT_FALSE(job->HasWaiting());
  EXPECT_EQ(job->HeldUpByReader(), std::nullopt);
  job->Finish({});
  EXPECT_FALSE(sink_->cancelled());
  EXPECT_EQ(sink_->usage().fuel, 33u);
}

}  // namespace
}  // namespace wb::test
