// GPUs that stand in for a closed CPU device.

#include <atomic>
#include <string>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

class StandInTest : public SchedulerTest {
 protected:
  StandInTest() {
    has_gpu_ = true;
    settings_.start_on_interpreter = true;
    settings_.interpreter.burst_instances = 16;
    settings_.cuda.burst_instances = 0;
    cuda_.target = "fake-gpu";
    cuda_.threads = 4096;
    interpreter_.busy = 20ms;
  }
  void Order(const std::string& device, Gate gate) {
    EXPECT_TRUE(scheduler_->OrderGate(device, {gate, {}}).ok());
  }
  // It shows how fast it is, then waits for another device.
  void InterpreterStaysFrom(uint32_t instance) {
    interpreter_.act = [instance](const FakeLane& lane) {
      return lane.number < instance ? LaneAct::kDone : LaneAct::kStay;
    };
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    uint64_t count = 0;
    for (const InstanceResult& result : sink.Results()) count += result.device == device ? 1 : 0;
    return count;
  }
  static void ExpectFirstAttempts(RecordingSink& sink) {
    for (const InstanceResult& result : sink.Results()) EXPECT_EQ(result.attempt, 1u);
  }
};

TEST_F(StandInTest, ALongJobGoesToTheGpu) {
  InterpreterStaysFrom(16);
  Start();
  Order("cpu0", Gate::kCordoned);
  const SinkRef sink = SubmitNumbers(5000);
  ExpectNumbers(*sink, 5000);
  ExpectFirstAttempts(*sink);
  EXPECT_EQ(CountOn(*sink, "cuda0"), 4984u);
  EXPECT_EQ(cuda_.builds(), 1u);
  EXPECT_EQ(cpu_.builds(), 0u);
  // By now it is known how long the module's jobs are, and where they are quick.
  const SinkRef next = SubmitNumbers(5000);
  ExpectNumbers(*next, 5000);
  EXPECT_EQ(CountOn(*next, "cuda0"), 5000u);
  EXPECT_NE(next->progress().placement_reason.find("takes no instances now: "), std::string::npos)
      << next->progress().placement_reason;
}

TEST_F(StandInTest, AShortOneStaysOnTheInterpreter) {
  interpreter_.busy = 1ms;
  cuda_.busy = 4ms;  // longer than the interpreter for all of them
  Start();
  Order("cpu0", Gate::kCordoned);
  for (const Placement placement : {Placement::kGpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(NumberModule(), 10);
    spec.placement = placement;
    ExpectNumbers(*Submit(std::move(spec)), 10);  // both are known, and the GPU has the pipeline
  }
  const SinkRef sink = SubmitNumbers(32);
  ExpectNumbers(*sink, 32);
  EXPECT_EQ(CountOn(*sink, "interpreter0"), 32u);
}

TEST_F(StandInTest, WhoIsSeatedWhenItIsDrainedGoesThere) {
  std::atomic<bool> stays{true};
  cpu_.act = [&](const FakeLane& lane) {
    return lane.number >= 640 && stays ? LaneAct::kStay : LaneAct::kDone;
  };
  InterpreterStaysFrom(16);
  Start();
  for (const Placement placement : {Placement::kCpu, Placement::kInterpreter}) {
    JobSpec spec = NumberJob(NumberModule(), 16);
    spec.placement = placement;
    ExpectNumbers(*Submit(std::move(spec)), 16);
  }
  const SinkRef sink = SubmitNumbers(5000);
  sink->AwaitResults(640);
  Order("cpu0", Gate::kDraining);
  ExpectNumbers(*sink, 5000);
  ExpectFirstAttempts(*sink);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_EQ(CountOn(*sink, "interpreter0"), 0u);
}

TEST_F(StandInTest, WhenItOpensTheJobComesBackFromTheInterpreter) {
  InterpreterStaysFrom(16);
  cuda_.on_build = [](const KernelSource&) -> Result<Bytes> {
    return Status(Reason::kCompileFailed, "too large for it");
  };
  Start();
  Order("cpu0", Gate::kCordoned);
  const SinkRef sink = SubmitNumbers(5000);
  sink->AwaitProgress([](const JobProgress& progress) {
    return progress.placement_reason.find("[cuda0] could not run the module: too large for it") !=
           std::string::npos;
  });
  Order("cpu0", Gate::kOpen);
  ExpectNumbers(*sink, 5000);
  ExpectFirstAttempts(*sink);
  EXPECT_EQ(CountOn(*sink, "cpu0"), 4984u);
}

// Its compiler still works when the other one is closed.
TEST_F(StandInTest, AndTheOtherWayRound) {
  SlowBuild build;
  cpu_.on_build = build();
  InterpreterStaysFrom(16);
  Start();
  const SinkRef sink = SubmitNumbers(5000);
  cpu_.AwaitBuild(1);
  Order("cpu0", Gate::kCordoned);
  ExpectNumbers(*sink, 5000);
  EXPECT_EQ(CountOn(*sink, "cuda0"), 4984u);
  build.Finish();
}

TEST_F(StandInTest, WithBothClosedItRunsOnTheInterpreterUntilOneOpens) {
  InterpreterStaysFrom(16);
  Start();
  Order("cpu0", Gate::kCordoned);
  Order("cuda0", Gate::kCordoned);
  const SinkRef sink = SubmitNumbers(5000);
  sink->AwaitResults(16);
  Order("cuda0", Gate::kOpen);
  ExpectNumbers(*sink, 5000);
  EXPECT_EQ(CountOn(*sink, "cuda0"), 4984u);
}

TEST_F(StandInTest, WithoutTheInterpreterItGoesThereAtOnce) {
  Start();
  Order("cpu0", Gate::kCordoned);
  Order("interpreter0", Gate::kCordoned);
  const SinkRef sink = SubmitNumbers(16);
  ExpectNumbers(*sink, 16);
  EXPECT_EQ(CountOn(*sink, "cuda0"), 16u);
}

}  // namespace
}  // namespace wb::test
