// Quick builds on a machine with a GPU: where the interpreter is quicker than the quick build, it
// has the CPU device's part of the job.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "tests/scheduler/pipelines/quick_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t kManyInstances = 40'000;
const std::string kSlower = "the full build is not ready, and the quick build does ";

// The GPU's compiler works until the test has it done; its instances end when the test says.
class SchedulerQuickGpuTest : public QuickBuildTest {
 protected:
  SchedulerQuickGpuTest() {
    has_gpu_ = true;
    settings_.cuda.burst_instances = 0;
    cuda_.target = "fake-gpu";
    cuda_.threads = 4096;
    cuda_.moves_lanes = false;
    cuda_.on_build = gpu_build_();
    cuda_.act = [this](const FakeLane&) { return gpu_ends_ ? LaneAct::kDone : LaneAct::kStay; };
  }
  ~SchedulerQuickGpuTest() override {
    if (!is_gpu_built_) FinishGpu();
  }

  void FinishGpu() {
    is_gpu_built_ = true;
    gpu_build_.Finish();
  }
  // Launches have shown that the quick build is slower, and the GPU's compiler has begun.
  SinkRef StartLong() {
    Start();
    SinkRef sink = SubmitNumbers(kManyInstances);
    AwaitReason(*sink, kSlower);
    const Pusher pusher(clock_);  // none ends: their age shows that they are long
    cuda_.AwaitBuild(1);
    return sink;
  }
  // Its launches have shown how fast the engine is.
  void Learn(Placement placement, FakeEngine& engine) {
    JobSpec spec = NumberJob(NumberModule(), kManyInstances);
    spec.placement = placement;
    const JobId id = next_id_;
    const SinkRef sink = Submit(std::move(spec));
    AwaitLaunches(engine, 3);
    scheduler_->Cancel(id);
    sink->AwaitEnd();
  }
  static void AwaitDevices(RecordingSink& sink, const std::string& one, const std::string& other) {
    sink.AwaitProgress([&](const JobProgress& progress) {
      return progress.device == one + ", " + other || progress.device == other + ", " + one;
    });
  }
  static uint64_t CountOn(RecordingSink& sink, const std::string& device) {
    uint64_t count = 0;
    for (const InstanceResult& result : sink.Results()) count += result.device == device ? 1 : 0;
    return count;
  }
  static void ExpectFirstAttempts(RecordingSink& sink) {
    for (const InstanceResult& result : sink.Results()) ASSERT_EQ(result.attempt, 1u);
  }

  std::atomic<bool> gpu_ends_{false};
  SlowBuild gpu_build_;
  bool is_gpu_built_ = false;
};

TEST_F(SchedulerQuickGpuTest, UntilTheFullBuildIsReadyTheJobIsOnTheInterpreter) {
  const SinkRef sink = StartLong();
  const int launches = quick_launches_;
  AwaitLaunches(interpreter_, 20);
  EXPECT_EQ(quick_launches_, launches);
  FinishFull();
  ExpectNumbers(*sink, kManyInstances);
  ExpectFull(*sink);
  EXPECT_TRUE(cuda_.launches().empty());
}

TEST_F(SchedulerQuickGpuTest, TheGpuJoinsItThereAndBothEndInstances) {
  std::atomic<bool> interpreter_ends{false};
  interpreter_.done_fuel = kStayFuel;  // it stays as fast as it was when its instances end
  interpreter_.act = [&](const FakeLane&) {
    return interpreter_ends ? LaneAct::kDone : LaneAct::kStay;
  };
  const SinkRef sink = StartLong();
  const int launches = quick_launches_;
  FinishGpu();
  AwaitDevices(*sink, "interpreter0", "cuda0");
  AwaitLaunches(interpreter_, 20);
  AwaitLaunches(cuda_, 2);
  interpreter_ends = true;
  sink->AwaitResults(1);
  gpu_ends_ = true;
  ExpectNumbers(*sink, kManyInstances);
  ExpectFirstAttempts(*sink);
  EXPECT_GT(CountOn(*sink, "interpreter0"), 0u);
  EXPECT_GT(CountOn(*sink, "cuda0"), 0u);
  EXPECT_EQ(CountOn(*sink, "cpu0"), 0u);
  EXPECT_EQ(quick_launches_, launches);
}

TEST_F(SchedulerQuickGpuTest, WhatTheyShareMovesToTheFullBuildTheMomentThatIsReady) {
  const SinkRef sink = StartLong();
  FinishGpu();
  AwaitDevices(*sink, "interpreter0", "cuda0");
  FinishFull();
  AwaitDevices(*sink, "cpu0", "cuda0");
  gpu_ends_ = true;
  ExpectNumbers(*sink, kManyInstances);
  ExpectFirstAttempts(*sink);
  EXPECT_EQ(CountOn(*sink, "interpreter0"), 0u);
  EXPECT_GT(CountOn(*sink, "cpu0"), 0u);
  EXPECT_GT(full_launches_, 0);
}

// The job begins on the quick build, which is known to be quicker, and is not for long.
TEST_F(SchedulerQuickGpuTest, BesideTheGpuTheInterpreterTakesThePlaceOfTheQuickBuild) {
  FinishGpu();
  cuda_.threads = 64;  // it does not leave the CPU device behind
  quick_busy_ = 5ms;
  Start();
  Learn(Placement::kInterpreter, interpreter_);
  Learn(Placement::kCpu, cpu_);
  const size_t interpreted = interpreter_.launches().size();
  const SinkRef sink = SubmitNumbers(kManyInstances);
  {
    const Pusher pusher(clock_);
    AwaitDevices(*sink, "cpu0", "cuda0");
  }
  EXPECT_EQ(interpreter_.launches().size(), interpreted);
  quick_busy_ = 40ms;
  AwaitDevices(*sink, "interpreter0", "cuda0");
  const int launches = quick_launches_;
  AwaitLaunches(interpreter_, 20);
  EXPECT_EQ(quick_launches_, launches);
  FinishFull();
  AwaitDevices(*sink, "cpu0", "cuda0");
  gpu_ends_ = true;
  ExpectNumbers(*sink, kManyInstances);
  ExpectFirstAttempts(*sink);
}

TEST_F(SchedulerQuickGpuTest, AGpuThatIsLostLeavesItsInstancesToTheInterpreter) {
  std::atomic<bool> is_lost{false};
  cuda_.act = [&](const FakeLane&) {
    if (!is_lost) return LaneAct::kStay;
    cuda_.FailStarts(1000);
    return LaneAct::kKillEngine;
  };
  const SinkRef sink = StartLong();
  FinishGpu();
  AwaitDevices(*sink, "interpreter0", "cuda0");
  is_lost = true;
  {
    const Pusher pusher(clock_);
    sink->AwaitProgress(
        [](const JobProgress& progress) { return progress.device == "interpreter0"; });
  }
  AwaitLaunches(interpreter_, 20);
  FinishFull();
  ExpectNumbers(*sink, kManyInstances);
  EXPECT_EQ(CountOn(*sink, "cpu0"), kManyInstances);
}

TEST_F(SchedulerQuickGpuTest, AClosedInterpreterLeavesItsInstancesToTheCpuDevice) {
  const SinkRef sink = StartLong();
  FinishGpu();
  AwaitDevices(*sink, "interpreter0", "cuda0");
  ASSERT_TRUE(scheduler_->OrderGate("interpreter0", {Gate::kDraining, 0ns, 0ns}).ok());
  AwaitDevices(*sink, "cpu0", "cuda0");
  FinishFull();
  gpu_ends_ = true;
  ExpectNumbers(*sink, kManyInstances);
  ExpectFirstAttempts(*sink);
}

// The first job shows how fast all are and how long an instance is; the full build is not ready.
TEST_F(SchedulerQuickGpuTest, AJobThatTheGpuEndsSoonerBeginsThereAlone) {
  std::atomic<bool> interpreter_ends{false};
  interpreter_.act = [&](const FakeLane&) {
    return interpreter_ends ? LaneAct::kDone : LaneAct::kStay;
  };
  interpreter_.adds_fuel = cuda_.adds_fuel = true;
  interpreter_.done_fuel = kStayFuel;
  cuda_.stay_fuel = 1'000'000;
  const SinkRef first = StartLong();
  FinishGpu();
  AwaitDevices(*first, "interpreter0", "cuda0");
  AwaitLaunches(cuda_, 2);
  interpreter_ends = gpu_ends_ = true;
  ExpectNumbers(*first, kManyInstances);
  const size_t launches = interpreter_.launches().size();
  const SinkRef second = SubmitNumbers(kManyInstances);
  ExpectNumbers(*second, kManyInstances);
  EXPECT_EQ(CountOn(*second, "cuda0"), kManyInstances) << second->progress().placement_reason;
  EXPECT_EQ(interpreter_.launches().size(), launches);
}

// The quick build of a GPU is nearly as quick as the full one: a job begins with it, with no look
// at the interpreter, and keeps it; the next job has the full one.
TEST_F(SchedulerQuickGpuTest, AJobKeepsAQuickBuildOfTheGpuAndTheNextHasTheFullOne) {
  std::atomic<int> quick_loads{0}, full_loads{0};
  cuda_.quick_text_below = 1000;
  cuda_.on_quick_build = [](const KernelSource&) -> Result<Bytes> { return Bytes{1}; };
  cuda_.on_load = [&](ByteView binary) {
    ++(binary.size() == 1 ? quick_loads : full_loads);
    return Status();
  };
  gpu_ends_ = false;
  Start();
  const auto submit = [this] {
    JobSpec spec = NumberJob(NumberModule(), kManyInstances);
    spec.placement = Placement::kGpu;
    return Submit(std::move(spec));
  };
  const SinkRef first = submit();
  AwaitLaunches(cuda_, 2);
  EXPECT_EQ(quick_loads, 1);
  is_gpu_built_ = true;
  gpu_build_.Finish(Bytes{2, 2});
  const SinkRef second = submit();
  gpu_ends_ = true;
  ExpectNumbers(*first, kManyInstances);
  ExpectNumbers(*second, kManyInstances);
  for (const InstanceResult& result : first->Results()) {
    ASSERT_EQ(result.build, KernelBuild::kQuick);
    ASSERT_EQ(result.attempt, 1u);
  }
  EXPECT_EQ(first->Results().front().device, "cuda0");
  const SinkRef third = submit();
  ExpectNumbers(*third, kManyInstances);
  for (const InstanceResult& result : third->Results()) {
    ASSERT_EQ(result.build, KernelBuild::kFull);
  }
  EXPECT_EQ(quick_loads, 1);
  EXPECT_EQ(full_loads, 1);
}

// Lanes stay where they are, no instance starts again, and the full build ends them.
TEST_F(SchedulerQuickGpuTest, AJobOfAGpuThatAdoptsPipelinesGoesOnWithTheFullBuild) {
  cuda_.adopts_pipelines = true;
  cuda_.quick_text_below = 1000;
  cuda_.on_quick_build = [](const KernelSource&) -> Result<Bytes> { return Bytes{1}; };
  Start();
  JobSpec spec = NumberJob(NumberModule(), kManyInstances);
  spec.placement = Placement::kGpu;
  const SinkRef sink = Submit(std::move(spec));
  AwaitLaunches(cuda_, 4);
  EXPECT_EQ(cuda_.adoptions, 0u);
  is_gpu_built_ = true;
  gpu_build_.Finish(Bytes{2, 2});
  while (cuda_.adoptions == 0) std::this_thread::sleep_for(1ms);
  gpu_ends_ = true;
  ExpectNumbers(*sink, kManyInstances);
  for (const InstanceResult& result : sink->Results()) {
    ASSERT_EQ(result.build, KernelBuild::kFull);
    ASSERT_EQ(result.attempt, 1u);
  }
}

}  // namespace
}  // namespace wb::test
