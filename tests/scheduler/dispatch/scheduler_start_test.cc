// Jobs that start on the interpreter while a compiler works for them, and builds side by side.

#include <atomic>
#include <memory>
#include <string>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

class SchedulerStartTest : public SchedulerTest {
 protected:
  SchedulerStartTest() {
    settings_.start_on_interpreter = true;
    settings_.interpreter.burst_instances = 16;
    cpu_.on_build = build_();
  }

  // Launches that do not end show nothing, so the clock has to.
  void AwaitBuild() {
    clock_.AwaitWaiter(std::chrono::milliseconds(50));
    clock_.Advance(std::chrono::milliseconds(50));
    cpu_.AwaitBuild(1);
  }

  SlowBuild build_;
};

std::vector<uint64_t> InstancesOn(RecordingSink& sink, const std::string& device) {
  std::vector<uint64_t> instances;
  for (const InstanceResult& result : sink.Results()) {
    EXPECT_EQ(result.attempt, 1u);
    if (result.device == device) instances.push_back(result.instance);
  }
  return instances;
}

TEST_F(SchedulerStartTest, AShortJobIsOverBeforeItsModuleIsCompiled) {
  Start();
  const SinkRef sink = SubmitNumbers(100);
  ExpectNumbers(*sink, 100);
  EXPECT_EQ(InstancesOn(*sink, "interpreter0").size(), 100u);
  EXPECT_NE(sink->progress().placement_reason.find("starts on the interpreter"), std::string::npos);
  EXPECT_EQ(sink->usage().full_compile_time.count(), 0);
  build_.Finish();
  // What was compiled serves the next job, from its first instance on.
  while (cpu_.launches().empty()) ExpectNumbers(*SubmitNumbers(10), 10);
  const size_t launches = interpreter_.launches().size();
  const SinkRef later = SubmitNumbers(100);
  ExpectNumbers(*later, 100);
  EXPECT_EQ(InstancesOn(*later, "cpu0").size(), 100u);
  EXPECT_EQ(interpreter_.launches().size(), launches);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerStartTest, WhoIsLeftMovesWhenTheCompilerIsDone) {
  interpreter_.act = [](const FakeLane& lane) {
    return lane.number < 10 ? LaneAct::kDone : LaneAct::kStay;
  };
  Start();
  const SinkRef sink = SubmitNumbers(500);
  sink->AwaitResults(10);
  build_.Finish();
  ExpectNumbers(*sink, 500);
  const auto stayed = InstancesOn(*sink, "interpreter0");
  EXPECT_EQ(stayed.size(), 10u);
  EXPECT_EQ(stayed.back(), 9u);
  EXPECT_EQ(InstancesOn(*sink, "cpu0").size(), 490u);
  EXPECT_EQ(sink->usage().fuel, 500u * 7);
  EXPECT_NE(sink->progress().placement_reason.find("meanwhile"), std::string::npos);
}

TEST_F(SchedulerStartTest, ALaunchUnderWayIsStoppedForTheMove) {
  interpreter_.blocks_until_stop = true;
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(50);
  interpreter_.AwaitLaunch(1);
  AwaitBuild();
  build_.Finish();
  ExpectNumbers(*sink, 50);
  EXPECT_EQ(InstancesOn(*sink, "cpu0").size(), 50u);
}

TEST_F(SchedulerStartTest, JobsOfOneModuleAllStartAndAllMove) {
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 4; ++i) {
    sinks.push_back(SubmitNumbers(20));
    interpreter_.AwaitLaunch(interpreter_.launches().size() + 2);
  }
  build_.Finish();
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 20);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerStartTest, AFailedBuildLeavesTheJobThereAndSaysWhy) {
  std::atomic<bool> stay{true};
  interpreter_.act = [&](const FakeLane&) { return stay ? LaneAct::kStay : LaneAct::kDone; };
  Start();
  const SinkRef sink = SubmitNumbers(20);
  interpreter_.AwaitLaunch(2);
  build_.Finish(Status(Reason::kCompileTimeout, "It took too long."));
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.placement_reason.find("It took too long.") != std::string::npos;
  });
  stay = false;
  ExpectNumbers(*sink, 20);
  EXPECT_EQ(InstancesOn(*sink, "interpreter0").size(), 20u);
  ExpectNumbers(*SubmitNumbers(5), 5);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerStartTest, WithoutAnInterpreterItWaitsForTheCompiler) {
  interpreter_.act = [](const FakeLane&) { return LaneAct::kKillEngine; };
  Start();
  const Pusher pusher(clock_);
  interpreter_.FailStarts(1000);
  const SinkRef sink = SubmitNumbers(20);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.device == "interpreter0" && progress.phase == JobPhase::kCompiling;
  });
  build_.Finish();
  sink->AwaitEnd();
  ASSERT_EQ(sink->Results().size(), 20u);
  EXPECT_EQ(sink->Results()[19].device, "cpu0");
}

TEST_F(SchedulerStartTest, ACancelEndsItThereWithoutTheCompiler) {
  interpreter_.blocks_until_stop = true;
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  const SinkRef sink = SubmitNumbers(20);
  interpreter_.AwaitLaunch(1);
  AwaitBuild();
  scheduler_->Cancel(1);
  sink->AwaitEnd();
  EXPECT_TRUE(sink->cancelled());
  build_.Finish();
  EXPECT_EQ(sink->ends(), 1u);
  EXPECT_TRUE(cpu_.launches().empty());
}

TEST_F(SchedulerStartTest, MaxTimeCountsFromTheStart) {
  interpreter_.blocks_until_stop = true;
  interpreter_.act = [](const FakeLane&) { return LaneAct::kStay; };
  cpu_.act = [](const FakeLane&) { return LaneAct::kStay; };
  Start();
  JobSpec spec = NumberJob(NumberModule(), 20);
  spec.limits.max_time = std::chrono::milliseconds(100);
  const SinkRef sink = Submit(std::move(spec));
  interpreter_.AwaitLaunch(1);
  clock_.Advance(std::chrono::milliseconds(70));
  cpu_.AwaitBuild(1);
  build_.Finish();
  cpu_.AwaitLaunch(1);
  EXPECT_EQ(cpu_.launches()[0].max_duration, std::chrono::milliseconds(30));
  clock_.Advance(std::chrono::milliseconds(31));
  sink->AwaitEnd();
  for (const InstanceResult& result : sink->Results()) EXPECT_EQ(result.end, End::kDeadline);
}

TEST_F(SchedulerStartTest, AJobThatAsksForTheCpuWaitsForIt) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 20);
  spec.placement = Placement::kCpu;
  const SinkRef sink = Submit(std::move(spec));
  ExpectNumbers(*SubmitNumbers(5), 5);  // of the same module: it is known that a compiler works
  EXPECT_EQ(sink->ends(), 0u);
  build_.Finish();
  ExpectNumbers(*sink, 20);
  EXPECT_EQ(InstancesOn(*sink, "cpu0").size(), 20u);
}

TEST_F(SchedulerStartTest, NoBuildWaitsBehindOneOfAnotherDevice) {
  has_gpu_ = true;
  cuda_.target = "fake-gpu";
  settings_.compile_parallel = 1;
  Start();
  JobSpec spec = NumberJob(NumberModule(), 5);
  spec.placement = Placement::kCpu;
  const SinkRef on_cpu = Submit(spec);
  spec.placement = Placement::kGpu;
  ExpectNumbers(*Submit(spec), 5);
  EXPECT_EQ(on_cpu->ends(), 0u);
  build_.Finish();
  ExpectNumbers(*on_cpu, 5);
}

TEST_F(SchedulerStartTest, AsManyBuildsOfADeviceAtOnceAsTheSettingSays) {
  settings_.compile_parallel = 2;
  std::atomic<int> now{0}, most{0};
  cpu_.on_build = [&, slow = build_()](const KernelSource& source) {
    const int count = ++now;
    int seen = most;
    while (seen < count && !most.compare_exchange_weak(seen, count)) {
    }
    auto outcome = slow(source);
    --now;
    return outcome;
  };
  Start();
  std::vector<SinkRef> sinks;
  for (int constant = 0; constant < 5; ++constant) {
    JobSpec spec = NumberJob(ModuleOf("(module (func (export \"run\") (param i32) (result i32) "
                                      "i32.const " +
                                      std::to_string(constant) + "))"),
                             5);
    spec.placement = Placement::kCpu;
    sinks.push_back(Submit(std::move(spec)));
  }
  while (most < 2) std::this_thread::yield();
  build_.Finish();
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 5);
  EXPECT_EQ(most, 2);
}

}  // namespace
}  // namespace wb::test
