// The jobs that a scheduler has, and how they end when the daemon stops.

#include "scheduler/job_register.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/drain_jobs.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class JobRegisterTest : public ::testing::Test {
 protected:
  // `room`: of its sink; without any the job waits for its reader.
  ActiveJobRef JobOf(JobId id, const std::string& tenant = "", uint64_t room = 100) {
    JobSpec spec = NumberJob(NumberModule(), 10);
    spec.tenant = tenant;
    JobPlan plan = PlanJob(std::move(spec), {}).value();
    return std::make_shared<ActiveJob>(id, std::move(plan), std::make_shared<RecordingSink>(room),
                                       clock_);
  }
  Status Add(JobId id, const std::string& tenant = "", uint64_t room = 100) {
    return jobs_.Add(JobOf(id, tenant, room), its_);
  }
  // Drains for so long, and moves time meanwhile. When each job was stopped, in order.
  std::vector<std::pair<JobId, std::chrono::nanoseconds>> Drain(std::chrono::nanoseconds time) {
    std::vector<std::pair<JobId, std::chrono::nanoseconds>> stopped;
    const TimePoint begin = clock_.Now();
    std::thread drains([&] {
      DrainJobs(jobs_, clock_, begin + time, [&](const ActiveJobRef& job) {
        stopped.emplace_back(job->id, clock_.Now() - begin);
        jobs_.Remove(job->id);
      });
    });
    for (auto passed = 0ns; passed < time && !jobs_.All().empty(); passed += 100ms) {
      clock_.AwaitWaiter(100ms);
      clock_.Advance(100ms);
    }
    drains.join();
    return stopped;
  }

  FakeClock clock_;
  TenantSettings its_;
  JobRegister jobs_{clock_, 3};
};

TEST_F(JobRegisterTest, AJobIsThereUntilItIsRemoved) {
  ASSERT_TRUE(Add(1).ok());
  EXPECT_EQ(jobs_.Of(1)->id, 1u);
  EXPECT_EQ(jobs_.Of(2), nullptr);
  EXPECT_EQ(Add(1).reason(), Reason::kInvalidArgument);
  jobs_.Remove(1);
  jobs_.Remove(1);
  EXPECT_EQ(jobs_.Of(1), nullptr);
  EXPECT_TRUE(jobs_.AwaitNone(clock_.Now()));
  EXPECT_TRUE(Add(1).ok());
}

TEST_F(JobRegisterTest, IsBoundedInAllAndForATenant) {
  its_.max_jobs = 2;
  ASSERT_TRUE(Add(1, "a").ok());
  ASSERT_TRUE(Add(2, "a").ok());
  EXPECT_FALSE(Add(3, "a").ok());
  ASSERT_TRUE(Add(3, "b").ok());
  EXPECT_EQ(Add(4, "b").reason(), Reason::kQueueFull);
  jobs_.Remove(2);
  EXPECT_TRUE(Add(4, "a").ok());
}

TEST_F(JobRegisterTest, TakesNoneOnceItHasStopped) {
  jobs_.StopAdmitting();
  EXPECT_EQ(Add(1).reason(), Reason::kDraining);
}

TEST_F(JobRegisterTest, ADrainStopsWhatWaitsForItsReaderAndInTheEndAll) {
  ASSERT_TRUE(Add(1).ok());
  ASSERT_TRUE(Add(2, "", 0).ok());
  const auto stopped = Drain(3s);
  ASSERT_EQ(stopped.size(), 2u);
  EXPECT_EQ(stopped[0].first, 2u);
  EXPECT_GE(stopped[0].second, 1s);
  EXPECT_LT(stopped[0].second, 2s);
  EXPECT_EQ(stopped[1].first, 1u);
  EXPECT_GE(stopped[1].second, 3s);
}

TEST_F(JobRegisterTest, ADrainWithoutJobsIsOver) { EXPECT_TRUE(Drain(1h).empty()); }

}  // namespace
}  // namespace wb::test
