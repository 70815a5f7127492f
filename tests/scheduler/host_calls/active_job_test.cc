// How many instances of a job with host calls are under way at a time.

#include "scheduler/job/active_job.h"

#include <gtest/gtest.h>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

constexpr uint64_t kMost = ActiveJob::kMostWithCalls;
constexpr const char* kDevice = "cpu0";

class AskingJobTest : public ::testing::Test {
 protected:
  AskingJobTest() {
    JobSpec spec = NumberJob(NumberModule(), 3 * kMost);
    spec.host_imports = {{"env.ask", FunctionType{{}, {}}, {}, false}};
    spec.host_calls = queue_ = std::make_shared<HostCallQueue>(spec.host_imports);
    job_ = std::make_unique<ActiveJob>(1, PlanJob(std::move(spec), {}).value(), sink_, clock_);
    queue_->Open([this](std::vector<HostAnswer> answers) { job_->Answer(std::move(answers)); });
  }

  // All of these ask for the first time, and have their answers.
  void AskAndAnswer(const Claim& claim) {
    std::vector<AskingInstance> asking(claim.size());
    std::vector<HostAnswer> answers(claim.size());
    for (uint64_t i = 0; i < claim.size(); ++i) {
      asking[i].instance = claim.At(i);
      asking[i].asked.call.instance = answers[i].instance = claim.At(i).instance;
    }
    job_->Ask(kDevice, std::move(asking));
    EXPECT_EQ(job_->Seat(kDevice, {}, kMost).size(), 0u) << "while they wait";
    EXPECT_TRUE(queue_->Answer(std::move(answers)).ok());
  }

  FakeClock clock_;
  std::shared_ptr<RecordingSink> sink_ = std::make_shared<RecordingSink>();
  std::shared_ptr<HostCallQueue> queue_;
  std::unique_ptr<ActiveJob> job_;
};

TEST_F(AskingJobTest, NoFreshInstanceStartsBeforeOneOfTheManyHasEnded) {
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
TEST_F(AskingJobTest, InstancesThatNeedMoreMemoryCountToo) {
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

}  // namespace
}  // namespace wb::test
