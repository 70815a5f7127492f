// What a job has used, while it runs and when it ends before its instances do.

#include <chrono>
#include <vector>

#include "tests/scheduler/run/shared_batch_fixture.h"

namespace wb::test {
namespace {

constexpr uint64_t kFuel = 1000;  // of a launch

class SchedulerUsageTest : public SharedBatchTest {
 protected:
  SchedulerUsageTest() {
    held_ = false;
    cpu_.stay_fuel = kFuel;
    cpu_.act = [](const FakeLane& lane) {
      return lane.number % 1000 < 2 ? LaneAct::kStay : LaneAct::kDone;
    };
  }
  // Two of its instances never end.
  static void AwaitFuel(RecordingSink& sink, uint64_t fuel) {
    sink.AwaitProgress([fuel](const JobProgress& progress) { return progress.usage.fuel >= fuel; });
  }
};

TEST_F(SchedulerUsageTest, ProgressCountsWhoIsUnderWayAndACancelKeepsIt) {
  Start();
  const SinkRef sink = SubmitNumbers(5);
  AwaitFuel(*sink, 20 * kFuel);
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  ASSERT_TRUE(sink->cancelled());
  EXPECT_EQ(sink->Results().size(), 3u);
  EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
  EXPECT_EQ((sink->usage().fuel - 3 * 7) % (2 * kFuel), 0u);  // nothing counts twice
}

TEST_F(SchedulerUsageTest, SoDoJobsThatShareALaunch) {
  held_ = true;
  Start();
  device_ = &cpu_;
  const std::vector<SinkRef> sinks = SubmitSmall(3, 5);
  for (const SinkRef& sink : sinks) AwaitFuel(*sink, 20 * kFuel);
  for (JobId id = 1; id <= 3; ++id) scheduler_->Cancel(id);
  for (const SinkRef& sink : sinks) {
    sink->AwaitEnd();
    EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
    EXPECT_EQ((sink->usage().fuel - 3 * 7) % kFuel, 0u);
  }
}

TEST_F(SchedulerUsageTest, AndJobsThatALimitEnds) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 5);
  spec.limits.max_time = std::chrono::seconds(1);
  const SinkRef sink = Submit(std::move(spec));
  AwaitFuel(*sink, 20 * kFuel);
  clock_.Advance(std::chrono::seconds(2));
  sink->AwaitEnd();
  EXPECT_EQ(sink->Results().size(), 5u);
  EXPECT_GE(sink->usage().fuel, 20 * kFuel + 3 * 7);
  EXPECT_EQ((sink->usage().fuel - 3 * 7) % (2 * kFuel), 0u);
}

}  // namespace
}  // namespace wb::test
