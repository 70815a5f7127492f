// Best builds: asked for where launches keep a GPU busy, behind all other builds, and taken by what
// runs. Whatever becomes of them, jobs end as they would have.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

constexpr uint32_t kLanes = 64;
constexpr auto kLaunch = 100ms;
constexpr size_t kUntilBusy = 20;  // launches of a full build: two seconds
const Bytes kFullBinary{2, 2};
const Bytes kBestBinary{3, 3, 3};

// A GPU whose lanes stay until the test says, and then end at once. It counts launches by build.
class SchedulerBestTest : public SchedulerTest {
 protected:
  SchedulerBestTest() {
    has_gpu_ = true;
    settings_.cuda.burst_instances = 0;
    settings_.compile_parallel = 2;
    settings_.log = [this](Severity severity, const std::string& line) {
      const std::lock_guard lock(mutex_);
      log_ += std::string(severity == Severity::kInfo ? "info: " : "warning: ") + line + "\n";
    };
    cuda_.target = "fake-gpu";
    cuda_.threads = kLanes;
    cuda_.adopts_pipelines = true;
    cuda_.best_text_below = 1000;
    cuda_.on_launch = [this](const FakeLaunch&) { return is_busy_ ? kLaunch : 0ms; };
    cuda_.on_build = [](const KernelSource&) -> Result<Bytes> { return kFullBinary; };
    cuda_.on_best_build = [this](const KernelSource&) -> Result<Bytes> {
      asked_at_ = cuda_.launches().size();
      ++best_builds_;
      return best_outcome_;
    };
    cuda_.on_load = [this](ByteView binary) {
      const bool is_best = binary.size() == kBestBinary.size();
      if (is_best && !best_loads_) return Status(Reason::kCompileFailed, "It is no kernel.");
      ++(is_best ? best_loaded_ : full_loaded_);
      return Status();
    };
    cuda_.act = [this](const FakeLane&) { return gpu_ends_ ? LaneAct::kDone : LaneAct::kStay; };
  }

  ~SchedulerBestTest() override { scheduler_.reset(); }  // it writes to the log

  SinkRef SubmitOnGpu(std::shared_ptr<const Module> module = NumberModule(),
                      uint64_t instances = kLanes) {
    JobSpec spec = NumberJob(std::move(module), instances);
    spec.placement = Placement::kGpu;
    return Submit(std::move(spec));
  }
  static std::shared_ptr<const Module> OtherModule() {
    return ModuleOf(
        "(module (memory 2 64) (func (export \"run\") (param i32) (result i32) "
        "local.get 0))");
  }
  // A job that keeps the GPU busy, and another whose full build is under way until `slow` ends.
  std::pair<SinkRef, SinkRef> RunBesideABuild(SlowBuild& slow) {
    cuda_.on_build = [builds = std::make_shared<std::atomic<int>>(0),
                      build = slow()](const KernelSource& source) -> Result<Bytes> {
      if ((*builds)++ == 0) return kFullBinary;
      return build(source);
    };
    is_busy_ = false;
    Start();
    const SinkRef sink = SubmitOnGpu();
    cuda_.AwaitLaunch(2);
    const SinkRef other = SubmitOnGpu(OtherModule());
    cuda_.AwaitBuild(2);
    is_busy_ = true;
    AwaitLaunches(2 * kUntilBusy);
    return {sink, other};
  }
  void AwaitLaunches(size_t more) { cuda_.AwaitLaunch(cuda_.launches().size() + more); }
  void AwaitAdoption() {
    while (cuda_.adoptions == 0) std::this_thread::sleep_for(1ms);
  }
  void AwaitWords(const std::string& words) {
    while (log().find(words) == std::string::npos) std::this_thread::sleep_for(1ms);
  }
  std::string log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }
  // All instances ended as they would have, and none began twice.
  void ExpectUnhurt(RecordingSink& sink, uint64_t instances = kLanes) {
    ExpectNumbers(sink, instances);
    for (const InstanceResult& result : sink.Results()) {
      ASSERT_EQ(result.build, KernelBuild::kFull);  // a best one is no news to a job
      ASSERT_EQ(result.attempt, 1u);
    }
  }
  std::vector<bool> LoadedAreBest() {
    std::vector<bool> are_best;
    const auto statuses = scheduler_->Pipelines("cuda0", NumberModule()->digest());
    for (const PipelineStatus& status : *statuses) are_best.push_back(status.is_best);
    return are_best;
  }

  std::atomic<bool> gpu_ends_{false}, best_loads_{true};
  std::atomic<bool> is_busy_{true};  // launches take time
  std::atomic<size_t> asked_at_{0};
  std::atomic<int> best_builds_{0}, full_loaded_{0}, best_loaded_{0};
  Result<Bytes> best_outcome_ = kBestBinary;

 private:
  std::mutex mutex_;
  std::string log_;
};

TEST_F(SchedulerBestTest, AJobGoesOnWithItOnceLaunchesHaveKeptTheGpuBusy) {
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitAdoption();
  EXPECT_GE(asked_at_, kUntilBusy);
  EXPECT_EQ(best_builds_, 1);
  AwaitLaunches(50);  // as long again
  EXPECT_EQ(best_builds_, 1);
  EXPECT_EQ(LoadedAreBest(), std::vector({true, false}));
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  EXPECT_EQ(full_loaded_, 1);
  EXPECT_EQ(best_loaded_, 1);
  EXPECT_EQ(sink->usage().full_compile_time, 0ns);  // no time passed, and none is charged
  EXPECT_NE(log().find("info: best build: of the module ["), std::string::npos) << log();
  EXPECT_NE(log().find("on the device [cuda0]: it is there"), std::string::npos) << log();
}

TEST_F(SchedulerBestTest, NobodyAsksForItWhereJobsAreShort) {
  gpu_ends_ = true;
  Start();
  for (size_t i = 1; i < kUntilBusy; ++i) ExpectUnhurt(*SubmitOnGpu());
  ASSERT_EQ(cuda_.launches().size(), kUntilBusy - 1);
  scheduler_.reset();  // whatever was asked for is done
  EXPECT_EQ(best_builds_, 0);
}

// The launches of all jobs of the module count.
TEST_F(SchedulerBestTest, LaterJobsHaveItFromTheBeginning) {
  gpu_ends_ = true;
  Start();
  for (size_t i = 0; i < kUntilBusy; ++i) ExpectUnhurt(*SubmitOnGpu());
  AwaitWords("it is there");
  EXPECT_EQ(best_loaded_, 0);
  ExpectUnhurt(*SubmitOnGpu());
  EXPECT_EQ(best_loaded_, 1);
  EXPECT_EQ(full_loaded_, 1);
}

TEST_F(SchedulerBestTest, TheNextDaemonFindsItOnDiskInThePlaceOfTheFullOne) {
  gpu_ends_ = true;
  Start();
  for (size_t i = 0; i < kUntilBusy; ++i) ExpectUnhurt(*SubmitOnGpu());
  AwaitWords("it is there");
  EXPECT_EQ(scheduler_->CacheList().size(), 1u);
  scheduler_.reset();
  const uint32_t builds = cuda_.builds();
  Start();
  for (size_t i = 0; i < 2 * kUntilBusy; ++i) ExpectUnhurt(*SubmitOnGpu());
  EXPECT_EQ(full_loaded_, 1);
  EXPECT_EQ(best_loaded_, 1);
  EXPECT_EQ(LoadedAreBest(), std::vector({true}));
  scheduler_.reset();
  EXPECT_EQ(cuda_.builds(), builds);
}

TEST_F(SchedulerBestTest, WhereItFailsTheFullOneStaysAndNobodyTriesAgain) {
  best_outcome_ = Status(Reason::kCompileTimeout, "It took too long.");
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitWords("there is none, and jobs keep the full build: It took too long.");
  EXPECT_NE(log().find("warning: best build: of the module ["), std::string::npos) << log();
  AwaitLaunches(10 * kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  ExpectUnhurt(*SubmitOnGpu());
  scheduler_.reset();
  EXPECT_EQ(best_builds_, 1);
  EXPECT_EQ(cuda_.adoptions, 0u);
  EXPECT_EQ(full_loaded_, 1);
}

TEST_F(SchedulerBestTest, AfterAFaultOfTheMachineItIsTriedWhenTheGpuWasBusyForTwiceAsLong) {
  best_outcome_ = Status(Reason::kMachineFault, "No process could be started.");
  Start();
  const SinkRef sink = SubmitOnGpu();
  while (best_builds_ < 3) std::this_thread::sleep_for(1ms);
  EXPECT_GE(asked_at_, 4 * kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
}

TEST_F(SchedulerBestTest, WhereTheFullOneIsTheBestNothingChanges) {
  best_outcome_ = Bytes();
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitLaunches(10 * kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  scheduler_.reset();
  EXPECT_EQ(best_builds_, 1);
  EXPECT_EQ(cuda_.adoptions, 0u);
  EXPECT_EQ(log().find("best build"), std::string::npos) << log();
}

TEST_F(SchedulerBestTest, AJobKeepsTheFullOneWhereTheBestDoesNotLoad) {
  best_loads_ = false;
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitWords("it is there");
  AwaitLaunches(kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  EXPECT_EQ(cuda_.adoptions, 0u);
  // The next job finds that out, has the full one built anew, and asks for no other.
  ExpectUnhurt(*SubmitOnGpu());
  for (size_t i = 0; i < 2 * kUntilBusy; ++i) ExpectUnhurt(*SubmitOnGpu());
  scheduler_.reset();
  EXPECT_EQ(best_builds_, 1);
  EXPECT_EQ(best_loaded_, 0);
}

TEST_F(SchedulerBestTest, AGpuThatDoesNotAdoptPipelinesHasItForLaterJobs) {
  cuda_.adopts_pipelines = false;
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitWords("it is there");
  AwaitLaunches(kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  EXPECT_EQ(cuda_.given_out(), 0u);
  EXPECT_EQ(best_loaded_, 0);
  ExpectUnhurt(*SubmitOnGpu());
  EXPECT_EQ(best_loaded_, 1);
}

TEST_F(SchedulerBestTest, NobodyAsksForItWithQuickBuildsAlone) {
  settings_.compile_quick_only = true;
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitLaunches(10 * kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  scheduler_.reset();
  EXPECT_EQ(best_builds_, 0);
}

TEST_F(SchedulerBestTest, NobodyAsksForItOfALongerText) {
  cuda_.best_text_below = 1;
  Start();
  const SinkRef sink = SubmitOnGpu();
  AwaitLaunches(10 * kUntilBusy);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  scheduler_.reset();
  EXPECT_EQ(best_builds_, 0);
}

// The first one takes 9 s, for a text as long as the second's.
TEST_F(SchedulerBestTest, TheGpuWasBusyForAsLongAsItIsExpectedToTake) {
  cuda_.on_best_build = [this](const KernelSource&) -> Result<Bytes> {
    asked_at_ = cuda_.launches().size();
    if (++best_builds_ == 1) clock_.Advance(9s);
    return kBestBinary;
  };
  Start();
  const SinkRef first = SubmitOnGpu();
  AwaitAdoption();
  gpu_ends_ = true;
  ExpectUnhurt(*first);
  gpu_ends_ = false;
  const size_t before = cuda_.launches().size();
  const SinkRef second = SubmitOnGpu(OtherModule());
  while (best_builds_ < 2) std::this_thread::sleep_for(1ms);
  EXPECT_GE(asked_at_ - before, 160u);  // after 2, 4 and 8 seconds it was not
  gpu_ends_ = true;
  ExpectUnhurt(*second);
}

TEST_F(SchedulerBestTest, NoOtherBuildWaitsForIt) {
  SlowBuild best;
  cuda_.on_best_build = [build = best()](const KernelSource& source) { return build(source); };
  Start();
  const SinkRef sink = SubmitOnGpu();
  cuda_.AwaitBuild(2);  // it is under way
  const SinkRef other = SubmitOnGpu(OtherModule());
  cuda_.AwaitBuild(3);
  gpu_ends_ = true;
  ExpectUnhurt(*other);
  ExpectUnhurt(*sink);
  best.Finish(kBestBinary);
}

// It would take processors from what jobs wait for.
TEST_F(SchedulerBestTest, ItDoesNotBeginWhileAnotherBuildIsUnderWay) {
  SlowBuild slow;
  const auto [sink, other] = RunBesideABuild(slow);
  EXPECT_EQ(best_builds_, 0);
  slow.Finish(kFullBinary);
  AwaitAdoption();
  EXPECT_GE(best_builds_, 1);
  gpu_ends_ = true;
  ExpectUnhurt(*sink);
  ExpectUnhurt(*other);
}

TEST_F(SchedulerBestTest, ADaemonThatStopsDropsOneThatWaits) {
  SlowBuild slow;
  const auto [sink, other] = RunBesideABuild(slow);
  std::thread stops([this] { scheduler_.reset(); });
  sink->AwaitEnd();
  other->AwaitEnd();
  interpreter_.AwaitKills(1);  // all devices are closed, and it waits for the build under way
  slow.Finish(kFullBinary);
  stops.join();
  EXPECT_EQ(best_builds_, 0);
}

}  // namespace
}  // namespace wb::test
