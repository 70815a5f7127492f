// Instances that start again find the answers that they were given: nothing is asked twice.

#include <set>

#include "tests/scheduler/host_calls/fixture.h"

namespace wb::test {
namespace {

class HostCallLossTest : public HostCallTest {
 protected:
  // Three rounds of calls, each answered once.
  void AnswerAll(uint64_t instances) {
    std::set<std::pair<uint64_t, uint64_t>> seen;
    for (uint64_t round = 0; round < 3; ++round) {
      for (const HostCall& call : AwaitCalls(instances)) {
        EXPECT_EQ(call.number, round);
        EXPECT_TRUE(seen.insert({call.instance, call.number}).second) << call.instance;
        EXPECT_TRUE(queue_->Answer({Next(call)}).ok());
      }
    }
  }
  static void ExpectResults(RecordingSink& sink, uint32_t instances) {
    sink.AwaitEnd();
    const auto results = sink.Results();
    ASSERT_EQ(results.size(), instances);
    for (uint32_t i = 0; i < instances; ++i) {
      ASSERT_EQ(results[i].end, End::kReturned) << results[i].host_error;
      EXPECT_EQ(results[i].steps[0].values[0].words[0], NextOf(i)) << i;
      EXPECT_EQ(results[i].fuel, results[0].fuel);
    }
  }
};

TEST_F(HostCallLossTest, ALostDeviceAsksNothingAgain) {
  for (int launch = 1; launch < 5; ++launch) {
    launches_left_ = launch;
    StartReal();
    const SinkRef sink = Submit(AskingJob(40));
    {
      const Pusher pusher(clock_);  // it may wake what the scheduler has; it ends before it
      AnswerAll(40);
      ExpectResults(*sink, 40);
      EXPECT_LE(launches_left_.load(), 0) << "the device did not die";
    }
    scheduler_.reset();
  }
}

TEST_F(HostCallLossTest, WithoutRoomForStatesInstancesStartAgainAndAskOnce) {
  settings_.moved_max_bytes = 0;
  StartReal();
  const SinkRef sink = Submit(AskingJob(200));
  AnswerAll(200);
  ExpectResults(*sink, 200);
}

}  // namespace
}  // namespace wb::test
