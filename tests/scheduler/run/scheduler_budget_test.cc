// What compilers may cost: quick builds before full ones, failures that are remembered for a while,
// texts that are too long.

#include <atomic>
#include <memory>
#include <string>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

class SchedulerBudgetTest : public SchedulerTest {
 protected:
  // Quick builds give {1}, full ones what the test finishes them with.
  void BuildTwice() {
    cpu_.quick_text_below = 1000;
    cpu_.on_quick_build = [](const KernelSource&) -> Result<Bytes> { return Bytes{1}; };
    cpu_.on_build = full_();
    cpu_.on_load = [this](ByteView binary) {
      ++(binary.size() == 1 ? quick_loads_ : full_loads_);
      return Status();
    };
  }
  void FinishFull(Result<Bytes> outcome = Bytes{2, 2}) { full_.Finish(std::move(outcome)); }

  SlowBuild full_;
  std::atomic<int> quick_loads_{0}, full_loads_{0};
};

TEST_F(SchedulerBudgetTest, TheFullPipelineTakesOverFromTheQuickOne) {
  BuildTwice();
  // On the quick one most never end.
  cpu_.act = [this](const FakeLane& lane) {
    return full_loads_ == 0 && lane.number >= 10 ? LaneAct::kStay : LaneAct::kDone;
  };
  Start();
  const SinkRef sink = SubmitNumbers(100);
  sink->AwaitResults(10);
  EXPECT_EQ(quick_loads_, 1);
  FinishFull();
  ExpectNumbers(*sink, 100);
  for (const InstanceResult& result : sink->Results()) EXPECT_EQ(result.attempt, 1u);
  EXPECT_EQ(full_loads_, 1);
  ExpectNumbers(*SubmitNumbers(5), 5);
  EXPECT_EQ(cpu_.builds(), 2u);
  EXPECT_EQ(quick_loads_ + full_loads_, 2);
}

TEST_F(SchedulerBudgetTest, ALaunchOfTheQuickOneIsStoppedForTheFullOne) {
  BuildTwice();
  cpu_.blocks_until_stop = true;
  cpu_.act = [this](const FakeLane&) { return full_loads_ == 0 ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitNumbers(20);
  cpu_.AwaitLaunch(1);
  FinishFull();
  cpu_.AwaitLaunch(2);
  cpu_.ReleaseLaunches();
  ExpectNumbers(*sink, 20);
}

TEST_F(SchedulerBudgetTest, OnlyTheFullPipelineStaysOnDisk) {
  BuildTwice();
  FinishFull();
  Start();
  ExpectNumbers(*SubmitNumbers(5), 5);
  while (cpu_.builds() < 2) std::this_thread::yield();
  scheduler_.reset();
  Start();
  EXPECT_EQ(scheduler_->CacheList().size(), 1u);
  full_loads_ = 0;
  const SinkRef sink = SubmitNumbers(5);
  ExpectNumbers(*sink, 5);
  EXPECT_TRUE(sink->usage().pipeline_cached);
  EXPECT_EQ(full_loads_, 1);
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerBudgetTest, AQuickPipelineOnDiskServesAtOnceAndTheFullOneFollows) {
  BuildTwice();
  Start();
  ExpectNumbers(*SubmitNumbers(5), 5);
  FinishFull(Status(Reason::kDeviceLost, "The daemon was killed."));
  scheduler_.reset();
  ASSERT_EQ(quick_loads_, 1);
  // It would take over at once.
  cpu_.on_build = [this](const KernelSource&) -> Result<Bytes> {
    while (quick_loads_ < 2) std::this_thread::yield();
    return Bytes{2, 2};
  };
  const uint32_t builds = cpu_.builds();
  Start();
  const SinkRef sink = SubmitNumbers(5);
  ExpectNumbers(*sink, 5);
  EXPECT_TRUE(sink->usage().pipeline_cached);
  EXPECT_EQ(quick_loads_, 2);
  while (full_loads_ == 0) ExpectNumbers(*SubmitNumbers(5), 5);
  EXPECT_EQ(cpu_.builds(), builds + 1);
}

TEST_F(SchedulerBudgetTest, WhereTheFullBuildFailsTheQuickOneHasToDo) {
  BuildTwice();
  FinishFull(Status(Reason::kCompileTimeout, "It took too long."));
  Start();
  for (int job = 0; job < 5; ++job) {
    const SinkRef sink = SubmitNumbers(5);
    ExpectNumbers(*sink, 5);
    EXPECT_EQ(sink->Results()[0].device, "cpu0");
  }
  while (cpu_.builds() < 2) std::this_thread::yield();
  ExpectNumbers(*SubmitNumbers(5), 5);
  EXPECT_EQ(cpu_.builds(), 2u);
  EXPECT_EQ(full_loads_, 0);
}

TEST_F(SchedulerBudgetTest, NoFirstBuildWaitsBehindAFullOne) {
  BuildTwice();
  settings_.compile_parallel = 1;
  Start();
  ExpectNumbers(*SubmitNumbers(5), 5);
  while (cpu_.builds() < 2) std::this_thread::yield();  // its full build works, and works
  const auto other =
      ModuleOf("(module (func (export \"run\") (param i32) (result i32) i32.const 1))");
  ExpectNumbers(*Submit(NumberJob(other, 5)), 5);
  EXPECT_EQ(quick_loads_, 2);
  FinishFull();
}

TEST_F(SchedulerBudgetTest, AJobThatStaysOnTheQuickOneSaysWhy) {
  BuildTwice();
  std::atomic<bool> stay{true};
  cpu_.act = [&](const FakeLane&) { return stay ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitNumbers(5);
  cpu_.AwaitLaunch(1);
  FinishFull(Status(Reason::kCompileTimeout, "It took too long."));
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.placement_reason.find("quick build") != std::string::npos;
  });
  EXPECT_NE(sink->progress().placement_reason.find("It took too long."), std::string::npos);
  stay = false;
  ExpectNumbers(*sink, 5);
}

TEST_F(SchedulerBudgetTest, AShortTextIsBuiltOnce) {
  BuildTwice();
  cpu_.quick_text_from = 999;
  FinishFull();
  Start();
  ExpectNumbers(*SubmitNumbers(5), 5);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(quick_loads_, 0);
}

TEST_F(SchedulerBudgetTest, AFailureIsForgottenAfterAWhile) {
  cpu_.on_build = [](const KernelSource&) -> Result<Bytes> {
    return Status(Reason::kCompileTimeout, "It took too long.");
  };
  Start();
  for (const uint32_t builds : {1u, 2u}) {
    for (int job = 0; job < 3; ++job) {
      const SinkRef sink = SubmitNumbers(5);
      ExpectNumbers(*sink, 5);
      EXPECT_EQ(sink->Results()[0].device, "interpreter0");
      EXPECT_NE(sink->progress().placement_reason.find("It took too long."), std::string::npos);
    }
    EXPECT_EQ(cpu_.builds(), builds);
    clock_.Advance(settings_.compile_retry_after);
  }
}

TEST_F(SchedulerBudgetTest, ATextThatIsTooLongIsLeftToTheInterpreter) {
  settings_.compile_max_text_bytes = 10;
  Start();
  const SinkRef sink = SubmitNumbers(5);
  ExpectNumbers(*sink, 5);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_NE(sink->progress().placement_reason.find("compile.max_text_bytes allows [10]"),
            std::string::npos)
      << sink->progress().placement_reason;
  EXPECT_EQ(cpu_.builds(), 0u);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kCompileFailed);
}

}  // namespace
}  // namespace wb::test
