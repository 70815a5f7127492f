// Jobs say all the reasons why they wait, each with its numbers.

#include <atomic>
#include <thread>

#include "scheduler/job/waits.h"
#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class WaitsTest : public SchedulerTest {
 protected:
  // Once the job waits for all of these, and nothing else.
  std::vector<WaitReason> AwaitCauses(JobId id, const std::vector<WaitCause>& causes) {
    for (;;) {
      std::vector<WaitReason> waits = scheduler_->Waits(id);
      const bool same = std::equal(
          waits.begin(), waits.end(), causes.begin(), causes.end(),
          [](const WaitReason& reason, WaitCause cause) { return reason.cause == cause; });
      if (same) return waits;
      std::this_thread::yield();
    }
  }
};

TEST(Waits, EveryCauseHasAName) {
  EXPECT_EQ(WaitCauseName(WaitCause::kRest), "DEVICE_RESTS");
  EXPECT_EQ(WaitCauseName(WaitCause::kReader), "READER");
}

TEST(Waits, ATurnNamesWhoIsBeforeIt) {
  const WaitReason reason = WaitForTurn("cpu0", {{4}, {7, 9}, 12});
  EXPECT_EQ(reason.words,
            "its turn on the device [cpu0]: [1] jobs run there now, [2] of its tenant go first by "
            "their priority, [12] take turns with it");
  EXPECT_EQ(reason.jobs, (std::vector<uint64_t>{4, 7, 9}));
}

TEST_F(WaitsTest, JobsThatRunHaveNone) {
  cpu_.blocks_until_stop = true;
  Start();
  const SinkRef sink = SubmitNumbers(10);
  cpu_.AwaitLaunch(1);
  AwaitCauses(1, {});
  cpu_.ReleaseLaunches();
  ExpectNumbers(*sink, 10);
  EXPECT_TRUE(scheduler_->Waits(1).empty());
  EXPECT_TRUE(scheduler_->Waits(99).empty());
}

TEST_F(WaitsTest, ATurnIsBehindThoseWhoRunAndThoseWhoGoFirst) {
  cpu_.blocks_until_stop = true;
  Start();
  std::vector<SinkRef> sinks;
  JobId id = 0;
  for (const int priority : {0, 5, 8, 0}) {
    JobSpec spec = NumberJob(NumberModule(), 1000);
    spec.priority = priority;
    sinks.push_back(Submit(std::move(spec)));
    // The second is given the first's turn; the clock stands still, so the others are not hurried.
    if (++id <= 2) cpu_.AwaitLaunch(id);
    if (id > 2) AwaitCauses(id, {WaitCause::kTurn});
  }
  const std::vector<WaitReason> waits = AwaitCauses(4, {WaitCause::kTurn});
  EXPECT_EQ(waits[0].jobs, (std::vector<uint64_t>{2, 3})) << waits[0].words;
  EXPECT_NE(waits[0].words.find("[1] take turns"), std::string::npos) << waits[0].words;
  for (id = 1; id <= 4; ++id) scheduler_->Cancel(id);
  for (const SinkRef& sink : sinks) sink->AwaitEnd();
}

TEST_F(WaitsTest, ACompilerAndACordonAreTwoReasons) {
  SlowBuild build;
  cpu_.on_build = build();
  Start();
  const SinkRef sink = SubmitNumbers(10);
  sink->AwaitProgress(
      [](const JobProgress& p) { return p.waiting_for.find("cpu0") != std::string::npos; });
  clock_.Advance(1500ms);
  EXPECT_EQ(AwaitCauses(1, {WaitCause::kCompiler})[0].words,
            "the compiler of the device [cpu0], for [1500] ms");
  ASSERT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kCordoned, {}}).ok());
  AwaitCauses(1, {WaitCause::kCompiler, WaitCause::kClosed});
  build.Finish();
  ExpectNumbers(*sink, 10);  // on the interpreter
}

TEST_F(WaitsTest, ACordonedHotDeviceIsTwoReasonsAndTheRestHasATime) {
  cpu_.sensors = [] {
    Telemetry telemetry;
    telemetry.celsius = 91;
    return telemetry;
  };
  Start();
  const SinkRef hot = SubmitNumbers(10);
  const std::vector<WaitReason> waits = AwaitCauses(1, {WaitCause::kRest});
  EXPECT_NE(waits[0].words.find("it is hot, 91 C"), std::string::npos) << waits[0].words;
  EXPECT_GT(waits[0].left.value(), 1s);
  ASSERT_TRUE(scheduler_->OrderGate("cpu0", {Gate::kCordoned, {}}).ok());
  JobSpec spec = NumberJob(NumberModule(), 10);
  spec.placement = Placement::kCpu;
  const SinkRef pinned = Submit(std::move(spec));
  AwaitCauses(2, {WaitCause::kClosed, WaitCause::kRest});
  ExpectNumbers(*hot, 10);  // on the interpreter
  scheduler_->Cancel(2);
  pinned->AwaitEnd();
}

TEST_F(WaitsTest, ALostDeviceSaysWhenItIsStartedNext) {
  cpu_.blocks_until_stop = true;
  cpu_.act = [](const FakeLane&) { return LaneAct::kKillEngine; };
  Start();
  const SinkRef sink = SubmitNumbers(10);
  cpu_.AwaitLaunch(1);
  cpu_.FailStarts(1);
  cpu_.ReleaseLaunches();
  const std::vector<WaitReason> waits = AwaitCauses(1, {WaitCause::kLost});
  EXPECT_EQ(waits[0].left, 100ms);
  EXPECT_NE(waits[0].words.find("the device [cpu0]: it was lost"), std::string::npos)
      << waits[0].words;
  scheduler_->Cancel(1);
  sink->AwaitEnd();
}

TEST_F(WaitsTest, AReaderWithoutRoomIsAReason) {
  Start();
  const SinkRef sink = SubmitNumbers(100, 40);
  sink->AwaitResults(40);
  EXPECT_NE(AwaitCauses(1, {WaitCause::kReader})[0].words.find("[40] instances have ended"),
            std::string::npos);
  sink->AddRoom(60);
  Wake();
  ExpectNumbers(*sink, 100);
}

TEST_F(WaitsTest, ATenantsLimitSaysHowManyAreBefore) {
  settings_.tenants.others.max_running_jobs = 1;
  cpu_.blocks_until_stop = true;
  Start();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 4; ++i) sinks.push_back(SubmitNumbers(10));
  EXPECT_NE(AwaitCauses(4, {WaitCause::kTenant})[0].words.find("[2] wait before it"),
            std::string::npos);
  scheduler_->Cancel(2);
  sinks[1]->AwaitEnd();
  const auto words = [this] { return AwaitCauses(4, {WaitCause::kTenant})[0].words; };
  // The thread that reads the end may be quicker than the queue.
  while (words().find("[1] wait before it") == std::string::npos) std::this_thread::yield();
  cpu_.ReleaseLaunches();
  for (const size_t i : {0, 2, 3}) ExpectNumbers(*sinks[i], 10);
}

}  // namespace
}  // namespace wb::test
