// The calls of a job and its instances: how many are under way at a time, and how those that ask
// go on or end.

#include "scheduler/job/active/active_calls.h"

#include <gtest/gtest.h>

#include "scheduler/job/active/active_job.h"
#include "scheduler/job/host_calls/host_call_queue.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

constexpr uint64_t kMost = ActiveCalls::kMostUnderWay;
constexpr const char* kDevice = "cpu0";
constexpr std::chrono::seconds kMaxTime{100};

class ActiveCallsTest : public ::testing::Test {
 protected:
  ActiveCallsTest() {
    JobSpec spec = NumberJob(NumberModule(), 3 * kMost);
    spec.limits.max_time = kMaxTime;
    spec.host_imports = {{"env.ask", FunctionType{{}, {}}, {}, false}};
    spec.host_calls = queue_ = std::make_shared<HostCallQueue>(spec.host_imports);
    job_ = std::make_unique<ActiveJob>(1, PlanJob(std::move(spec), {}).value(), sink_, clock_);
    queue_->Open(
        [this](std::vector<HostAnswer> answers) { job_->calls.Answer(std::move(answers)); });
  }

  // All of these ask for the first time.
  void Ask(const Claim& claim) {
    std::vector<AskingInstance> asking(claim.size());
    for (uint64_t i = 0; i < claim.size(); ++i) {
      asking[i].instance = claim.At(i);
      asking[i].asked.call.instance = asking[i].if_failed.instance = claim.At(i).instance;
      asking[i].if_failed.end = End::kTrapped;
    }
    job_->calls.Ask(kDevice, std::move(asking));
  }
  // ... and have their answers.
  void AskAndAnswer(const Claim& claim) {
    Ask(claim);
    EXPECT_EQ(job_->Seat(kDevice, {}, kMost).size(), 0u) << "while they wait";
    std::vector<HostAnswer> answers(claim.size());
    for (uint64_t i = 0; i < claim.size(); ++i) answers[i].instance = claim.At(i).instance;
    EXPECT_TRUE(queue_->Answer(std::move(answers)).ok());
  }

  FakeClock clock_;
  std::shared_ptr<RecordingSink> sink_ = std::make_shared<RecordingSink>();
  std::shared_ptr<HostCallQueue> queue_;
  std::unique_ptr<ActiveJob> job_;
};

TEST_F(ActiveCallsTest, NoFreshInstanceStartsBeforeOneOfTheManyHasEnded) {
  const Claim first = job_->Seat(kDevice, {}, 3 * kMost);
  ASSERT_EQ(first.fresh(), kMost);
  AskAndAnswer(first);
  const Claim again = job_->Seat(kDevice, {}, 3 * kMost);
  EXPECT_EQ(again.returned(), kMost);
  EXPECT_EQ(again.fresh(), 0u);
  ResultBatch ended;
  for (uint64_t i = 0; i < 10; ++i) {
    InstanceResult result;
    result.instance = again.At(i).instance;
    ended.Add(std::move(result));
  }
  job_->Deliver(kDevice, std::move(ended));
  EXPECT_EQ(job_->Seat(kDevice, {}, 3 * kMost).fresh(), 10u);
}

// Those that wait for a seat of another class are under way as well.
TEST_F(ActiveCallsTest, InstancesThatNeedMoreMemoryCountToo) {
  const Claim first = job_->Seat(kDevice, {}, kMost);
  std::vector<InstanceRef> growing;
  for (uint64_t i = 0; i < 100; ++i) {
    growing.push_back(first.At(i));
    growing.back().seat_class.pages = 7;
  }
  job_->Unseat(kDevice, growing);
  EXPECT_EQ(job_->Seat(kDevice, {}, kMost).size(), 0u);
  EXPECT_EQ(job_->Seat(kDevice, growing[0].seat_class, kMost).returned(), 100u);
}

TEST_F(ActiveCallsTest, WhoHasItsAnswerWaitsForASeatAndKeepsTheAnswer) {
  Ask(job_->Seat(kDevice, {}, 2));
  EXPECT_EQ(job_->calls.Asking(), 2u);
  EXPECT_EQ(sink_->reserved(), 2u) << "who asks keeps its room for a result";
  EXPECT_FALSE(job_->calls.HasAnswer(1, 0));
  HostAnswer answer;
  answer.instance = 1;
  EXPECT_TRUE(queue_->Answer({answer}).ok());
  EXPECT_EQ(job_->calls.Asking(), 1u);
  EXPECT_EQ(sink_->reserved(), 1u);
  EXPECT_TRUE(job_->calls.HasAnswer(1, 0));
  const Claim again = job_->Seat(kDevice, {}, 1);
  ASSERT_EQ(again.returned(), 1u);
  EXPECT_EQ(again.At(0).instance, 1u);
}

TEST_F(ActiveCallsTest, ACallThatWaitsForTooLongEndsItsInstance) {
  std::vector<TimePoint> due;
  job_->calls.OnExpiry([&due](TimePoint at) { due.push_back(at); });
  EXPECT_EQ(job_->calls.NextExpiry(), std::nullopt);
  Ask(job_->Seat(kDevice, {}, 1));
  const TimePoint at = clock_.Now() + job_->plan.spec.host_call_timeout;
  EXPECT_EQ(due, std::vector<TimePoint>{at});
  EXPECT_EQ(job_->calls.NextExpiry(), at);
  EXPECT_FALSE(job_->calls.Expire(at - std::chrono::nanoseconds(1)));
  EXPECT_TRUE(job_->calls.Expire(at));
  EXPECT_EQ(job_->calls.Asking(), 0u);
  EXPECT_EQ(sink_->progress().finished, 1u) << "the sink is told";
  EXPECT_EQ(sink_->reserved(), 0u);
  ASSERT_EQ(sink_->Results().size(), 1u);
  EXPECT_EQ(sink_->Results()[0].trap, Trap::kHostCallFailed);
  EXPECT_FALSE(queue_->Answer({HostAnswer()}).ok()) << "the call is withdrawn";
}

// The job is over while one asks: it ends like those that never had a seat.
TEST_F(ActiveCallsTest, WhoAsksEndsWithTheJob) {
  Ask(job_->Seat(kDevice, {}, 1));
  job_->limits.StartClock(clock_.Now());
  EXPECT_TRUE(job_->limits.IsOver(clock_.Now() + kMaxTime));
  job_->limits.EndOver();
  EXPECT_TRUE(job_->AllFinished());
  EXPECT_EQ(job_->calls.Asking(), 0u);
  EXPECT_EQ(sink_->reserved(), 0u);
  EXPECT_EQ(sink_->ranges(), 2u);
  EXPECT_EQ(sink_->Results()[0].end, End::kDeadline);
}

}  // namespace
}  // namespace wb::test
