// Quick builds: used where launches show that they are quicker than the interpreter.

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "tests/scheduler/pipelines/quick_fixture.h"

namespace wb::test {
namespace {

using namespace std::chrono_literals;

using SchedulerQuickTest = QuickBuildTest;

TEST_F(SchedulerQuickTest, WhereItIsSlowerTheJobGoesBackToTheInterpreterUntilTheFullOneIsReady) {
  Start();
  const SinkRef sink = SubmitNumbers(4);
  AwaitReason(*sink, "the full build is not ready, and the quick build does ");
  const int launches = quick_launches_;
  EXPECT_GE(launches, 1);
  AwaitLaunches(interpreter_, 20);  // it stays there
  EXPECT_EQ(quick_launches_, launches);
  FinishFull();
  ExpectNumbers(*sink, 4);
  ExpectFull(*sink);
  EXPECT_GE(interpreter_.import_lanes(), 4u);  // their state went along to and fro
  EXPECT_GE(cpu_.import_lanes(), 8u);
  for (const InstanceResult& result : sink->Results()) EXPECT_GT(result.fuel, 20'000'000u);
  EXPECT_EQ(sink->usage().quick_compile_time, 200ms);
  EXPECT_EQ(sink->usage().full_compile_time, 3s);
}

TEST_F(SchedulerQuickTest, AModuleThatIsKnownToBeSlowerOnItNeverRunsOnIt) {
  Start();
  const SinkRef first = SubmitNumbers(4);
  AwaitReason(*first, "the full build is not ready");
  const int launches = quick_launches_;
  const SinkRef second = SubmitNumbers(4);
  AwaitReason(*second, "the full build is not ready");
  AwaitLaunches(interpreter_, 20);
  EXPECT_EQ(quick_launches_, launches);
  FinishFull();
  for (const SinkRef& sink : {first, second}) {
    ExpectNumbers(*sink, 4);
    ExpectFull(*sink);
  }
}

TEST_F(SchedulerQuickTest, WhereItIsQuickerTheJobStaysOnIt) {
  quick_busy_ = 5ms;
  Start();
  const SinkRef sink = SubmitNumbers(4);
  while (quick_launches_ < 20) std::this_thread::yield();
  const size_t launches = interpreter_.launches().size();
  while (quick_launches_ < 40) std::this_thread::yield();
  EXPECT_EQ(interpreter_.launches().size(), launches);
  FinishFull();
  ExpectNumbers(*sink, 4);
  ExpectFull(*sink);
}

TEST_F(SchedulerQuickTest, AJobThatInsistsOnTheDeviceStaysOnIt) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 4);
  spec.placement = Placement::kCpu;
  const SinkRef sink = Submit(std::move(spec));
  while (quick_launches_ < 20) std::this_thread::yield();
  EXPECT_TRUE(interpreter_.launches().empty());
  FinishFull();
  ExpectNumbers(*sink, 4);
  ExpectFull(*sink);
}

// The quick build is on disk, and no launch of this daemon has shown anything.
TEST_F(SchedulerQuickTest, WhereNothingIsKnownBothAreTried) {
  Start();
  const SinkRef before = SubmitNumbers(4);
  while (quick_launches_ == 0) std::this_thread::yield();
  scheduler_->Cancel(1);
  before->AwaitEnd();
  full_.Finish(Status(Reason::kDeviceLost, "The daemon was killed."));
  scheduler_.reset();
  full_ = SlowBuild();
  cpu_.on_build = full_();
  quick_launches_ = 0;
  const size_t launches = interpreter_.launches().size();
  Start();
  const SinkRef sink = SubmitNumbers(4);
  AwaitReason(*sink, "the full build is not ready, and the quick build does ");
  EXPECT_GE(quick_launches_, 1);
  EXPECT_GT(interpreter_.launches().size(), launches);
  FinishFull();
  ExpectNumbers(*sink, 4);
}

TEST_F(SchedulerQuickTest, AResultSaysWhichBuildFinishedIt) {
  interpreter_.act = nullptr;
  cpu_.act = nullptr;
  Start();
  const auto build_of = [this](Placement placement) {
    JobSpec spec = NumberJob(NumberModule(), 1);
    spec.placement = placement;
    const SinkRef sink = Submit(std::move(spec));
    sink->AwaitEnd();
    return sink->Results().at(0).build;
  };
  EXPECT_EQ(build_of(Placement::kInterpreter), KernelBuild::kInterpreted);
  EXPECT_EQ(build_of(Placement::kCpu), KernelBuild::kQuick);
  FinishFull();
  while (build_of(Placement::kCpu) == KernelBuild::kQuick) std::this_thread::yield();
  EXPECT_EQ(build_of(Placement::kCpu), KernelBuild::kFull);
}

TEST_F(SchedulerQuickTest, QuickOnlyBuildsNothingBehindItNorAfterARestart) {
  settings_.compile_quick_only = true;
  std::atomic<int> full_builds{0};
  std::atomic<int> quick_builds{0};
  cpu_.on_build = [&full_builds](const KernelSource&) -> Result<Bytes> {
    ++full_builds;
    return Bytes{2, 2};
  };
  cpu_.on_quick_build = [&quick_builds](const KernelSource&) -> Result<Bytes> {
    ++quick_builds;
    return Bytes{1};
  };
  cpu_.act = nullptr;
  for (int start = 0; start < 2; ++start) {
    Start();
    for (int i = 0; i < 2; ++i) {
      JobSpec spec = NumberJob(NumberModule(), 1);
      spec.placement = Placement::kCpu;
      const SinkRef sink = Submit(std::move(spec));
      sink->AwaitEnd();
      EXPECT_EQ(sink->Results().at(0).build, KernelBuild::kQuick);
    }
    scheduler_.reset();  // waits for builds under way
  }
  EXPECT_EQ(quick_builds, 1);
  EXPECT_EQ(full_builds, 0);
}

// A full build takes longer than many jobs, whose inputs others need the room of.
TEST_F(SchedulerQuickTest, AFullBuildUnderWayKeepsNoInputsOfJobsThatHaveEnded) {
  interpreter_.act = nullptr;
  cpu_.act = nullptr;
  Start();
  std::weak_ptr<const ColumnData> inputs;
  {
    JobSpec spec = NumberJob(NumberModule(), 1);
    spec.placement = Placement::kCpu;
    ByteBlock block = ByteBlock::Of(4);
    std::fill_n(block.bytes.get(), 4, uint8_t{7});
    Column column;
    column.kind = Column::Kind::kList;
    column.data = ColumnData::Numbers(std::move(block), 4, 1);
    inputs = column.data;
    spec.columns.push_back(std::move(column));
    const SinkRef sink = Submit(std::move(spec));
    sink->AwaitEnd();
    EXPECT_EQ(sink->Results().at(0).build, KernelBuild::kQuick);
  }
  while (!inputs.expired()) std::this_thread::yield();
}

}  // namespace
}  // namespace wb::test
