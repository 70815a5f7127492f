// What other threads leave for a device's loop, and when launches are stopped for it.

#include "scheduler/run/loop_inbox.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/fakes/fake_clock.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class LoopInboxTest : public ::testing::Test {
 protected:
  LoopInboxTest() { inbox_.SetStopPeriod(20ms); }
  ActiveJobRef Job(uint64_t id) {
    JobPlan plan = PlanJob(NumberJob(NumberModule(), 4), {}).value();
    return std::make_shared<ActiveJob>(id, std::move(plan), std::make_shared<RecordingSink>(),
                                       clock_);
  }
  // The job is here, with a launch under way.
  ActiveJobRef Launching(uint64_t id) {
    const ActiveJobRef job = Job(id);
    EXPECT_FALSE(inbox_.PostJob({job, {}}));
    EXPECT_EQ(inbox_.Take()->arrivals.size(), 1u);
    inbox_.PublishLaunching({job.get()});
    return job;
  }

  FakeClock clock_;
  LoopInbox inbox_{"cpu0", clock_};
};

TEST_F(LoopInboxTest, ALaunchIsStoppedForANewcomerOnceInAPeriod) {
  Launching(1);
  EXPECT_TRUE(inbox_.PostJob({Job(2), {}}));
  EXPECT_FALSE(inbox_.PostJob({Job(3), {}}));
  EXPECT_EQ(inbox_.NextNewcomerStop(clock_.Now()), clock_.Now() + 20ms);
  clock_.Advance(20ms);
  EXPECT_EQ(inbox_.NextNewcomerStop(clock_.Now()), std::nullopt);
  EXPECT_TRUE(inbox_.PostJob({Job(4), {}}));
}

TEST_F(LoopInboxTest, ANewcomerBeforeALaunchWasPublishedIsSeenAfterIt) {
  EXPECT_FALSE(inbox_.WantsStop(500ms, clock_.Now()));
  EXPECT_FALSE(inbox_.PostJob({Job(2), {}}));  // nothing runs that it could stop
  EXPECT_TRUE(inbox_.WantsStop(500ms, clock_.Now()));
  EXPECT_FALSE(inbox_.WantsStop(20ms, clock_.Now()));  // short, and one was stopped just now
  EXPECT_TRUE(inbox_.WantsStop(500ms, clock_.Now()));  // planned before that, and long
}

TEST_F(LoopInboxTest, OnlyCommandsThatNeedItStopTheLaunchesOfTheirJob) {
  const ActiveJobRef job = Launching(1);
  using Kind = LoopInbox::Command::Kind;
  EXPECT_FALSE(inbox_.PostCommand({Kind::kExplain, job, {}, "it is quick enough"}));
  EXPECT_FALSE(inbox_.PostCommand({Kind::kEvict, Job(2), {}, {}}));
  EXPECT_FALSE(inbox_.WantsStop(1ms, clock_.Now()));
  EXPECT_TRUE(inbox_.PostCommand({Kind::kEvict, job, {}, {}}));
  EXPECT_TRUE(inbox_.WantsStop(1ms, clock_.Now()));
  EXPECT_EQ(inbox_.Take()->commands.size(), 3u);
}

TEST_F(LoopInboxTest, AJobIsSeenFromItsArrivalToItsEnd) {
  const ActiveJobRef job = Job(1);
  EXPECT_FALSE(inbox_.Look(*job).is_here);
  inbox_.PostJob({job, {}});
  EXPECT_TRUE(inbox_.Look(*job).is_here);
  EXPECT_FALSE(inbox_.Look(*job).turn);  // nothing else is here
  inbox_.PostJob({Job(2), {}});
  EXPECT_TRUE(inbox_.Look(*job).turn);
  EXPECT_EQ(inbox_.Take()->arrivals.size(), 2u);
  EXPECT_EQ(inbox_.jobs(), 2u);
  inbox_.Left(job);
  EXPECT_FALSE(inbox_.Look(*job).is_here);
  EXPECT_EQ(inbox_.jobs(), 1u);
}

TEST_F(LoopInboxTest, WhatAJobLacksIsForgottenWhenALaunchOfItBegins) {
  const ActiveJobRef job = Launching(1);
  inbox_.PublishLaunching({});
  inbox_.RecordLack(job, WaitForMachine("cpu0", "No descriptors."));
  ASSERT_TRUE(inbox_.Look(*job).lack);
  EXPECT_EQ(inbox_.Look(*job).lack->cause, WaitCause::kMachine);
  inbox_.PublishLaunching({job.get()});
  EXPECT_FALSE(inbox_.Look(*job).lack);
}

TEST_F(LoopInboxTest, AWakeUpBeforeTheWaitIsNotLost) {
  inbox_.Wake();
  inbox_.AwaitMore(TimePoint::max());  // returns
  EXPECT_TRUE(inbox_.Take());
  inbox_.Close();
  inbox_.AwaitMore(TimePoint::max());
  EXPECT_FALSE(inbox_.Take());
}

}  // namespace
}  // namespace wb::test
