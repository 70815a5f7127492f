// How many lanes of a pipeline run at a time: measured from its launches, used, remembered.

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

constexpr uint32_t kLanesEach = 1024;
constexpr uint32_t kProcessors = 4;
constexpr uint32_t kBest = 256 * kProcessors;

// A device of which a launch runs as many instances as its occupancy makes it quick.
class OccupancyTest : public SchedulerTest {
 protected:
  OccupancyTest() {
    cpu_.processors = kProcessors;
    cpu_.threads = kLanesEach * kProcessors;
    cpu_.seats_per_lane = 8;
    settings_.cpu.burst_instances = 0;
    settings_.log = [this](Severity severity, const std::string& line) {
      MutexLock lock(mutex_);
      log_ += std::string(severity == Severity::kInfo ? "info: " : "warning: ") + line + "\n";
    };
    cpu_.on_launch = [this](const FakeLaunch& launch) {
      const uint32_t abreast = launch.lanes <= cpu_.threads / 2 ? cpu_.launches_at_once : 1;
      const uint32_t lanes = launch.occupancy.LanesOf(launch.lanes) * abreast;
      const double away = std::max<double>(lanes, kBest) / std::min<double>(lanes, kBest);
      const auto busy =
          std::min<std::chrono::nanoseconds>(launch.max_duration, std::chrono::milliseconds(500));
      quota_ = static_cast<uint32_t>(std::chrono::duration<double>(busy).count() * 4000 / away);
      return busy;
    };
    cpu_.act = [this](const FakeLane&) {
      if (quota_ == 0) return LaneAct::kQueued;
      --quota_;
      return LaneAct::kDone;
    };
  }
  std::string log() {
    MutexLock lock(mutex_);
    return log_;
  }
  uint64_t LaunchesWith(const Occupancy& occupancy, size_t from = 0) const {
    const std::vector<FakeLaunch> launches = cpu_.launches();
    return static_cast<uint64_t>(
        std::count_if(launches.begin() + static_cast<ptrdiff_t>(from), launches.end(),
                      [&](const FakeLaunch& launch) { return launch.occupancy == occupancy; }));
  }
  void AwaitNote() const {
    const auto is_note = [](const auto& file) { return file.path().extension() == ".wbn"; };
    for (int i = 0; i < 10000; ++i) {
      const std::filesystem::directory_iterator files(settings_.cache_directory + "/pipelines");
      if (std::any_of(begin(files), end(files), is_note)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "nothing was remembered";
  }

 private:
  uint32_t quota_ = 0;  // on the device's thread
  Mutex mutex_;
  std::string log_ WB_GUARDED_BY(mutex_);
};

TEST_F(OccupancyTest, TheBestIsFoundUsedSaidAndRememberedByTheNextDaemon) {
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  EXPECT_EQ(cpu_.launches().front().occupancy, Occupancy());
  EXPECT_EQ(cpu_.launches().back().occupancy.lanes, kBest);
  EXPECT_NE(log().find("info: residency: the module ["), std::string::npos) << log();
  EXPECT_NE(log().find("[256] lanes a processor"), std::string::npos) << log();
  AwaitNote();
  scheduler_.reset();
  const size_t before = cpu_.launches().size();
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  EXPECT_EQ(LaunchesWith({kBest, 0}, before), cpu_.launches().size() - before);
}

// Its kernels are others: what was found for the full build says nothing of them.
TEST_F(OccupancyTest, WithABestBuildTheSearchBeginsAnew) {
  SlowBuild best;
  cpu_.adopts_pipelines = true;
  cpu_.best_text_below = 1000;
  cpu_.on_best_build = best();
  Start();
  const SinkRef sink = SubmitNumbers(300000);
  while (log().find("residency: the module [") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  best.Finish();
  while (cpu_.adoptions == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const size_t before = cpu_.launches().size();
  ExpectNumbers(*sink, 300000);
  EXPECT_GT(LaunchesWith(Occupancy(), before), 1u);
  EXPECT_EQ(cpu_.launches().back().occupancy.lanes, kBest);
}

TEST_F(OccupancyTest, WhatIsFoundOutlivesTheJob) {
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  const size_t before = cpu_.launches().size();
  ExpectNumbers(*SubmitNumbers(9000), 9000);
  EXPECT_EQ(LaunchesWith({kBest, 0}, before), cpu_.launches().size() - before);
}

// Half of what is best for the device, each; a job whose launches run one at a time has all of it.
TEST_F(OccupancyTest, LaunchesAbreastHaveTheirParts) {
  cpu_.launches_at_once = 2;
  Start();
  ExpectNumbers(*SubmitNumbers(60000), 60000);
  EXPECT_EQ(cpu_.launches().back().occupancy.lanes, kBest / 2);
  EXPECT_NE(log().find("[256] lanes a processor"), std::string::npos) << log();
  AwaitNote();
  scheduler_.reset();
  const size_t before = cpu_.launches().size();
  cpu_.launches_at_once = 1;
  Start();
  ExpectNumbers(*SubmitNumbers(9000), 9000);
  EXPECT_EQ(LaunchesWith({kBest, 0}, before), cpu_.launches().size() - before);
}

// Each function has its own.
TEST_F(OccupancyTest, AnotherFunctionOfTheModuleIsMeasuredByItself) {
  const auto module = ModuleOf(R"((module
    (func (export "run") (param i32) (result i32) (local.get 0))
    (func (export "walk") (param i32) (result i32) (local.get 0))))");
  Start();
  ExpectNumbers(*Submit(NumberJob(module, 30000)), 30000);
  ASSERT_EQ(cpu_.launches().back().occupancy.lanes, kBest);
  const size_t before = cpu_.launches().size();
  JobSpec spec = NumberJob(module, 5000);
  std::get<CallStep>(spec.steps[0]).function = "walk";
  ExpectNumbers(*Submit(spec), 5000);
  EXPECT_EQ(cpu_.launches()[before].occupancy, Occupancy());
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(OccupancyTest, ADamagedNoteIsFoundOutAnew) {
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  AwaitNote();
  scheduler_.reset();
  for (const auto& file :
       std::filesystem::directory_iterator(settings_.cache_directory + "/pipelines")) {
    if (file.path().extension() == ".wbn") std::filesystem::resize_file(file.path(), 100);
  }
  const size_t before = cpu_.launches().size();
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  EXPECT_GT(LaunchesWith({}, before), 2u);
  EXPECT_EQ(cpu_.launches().back().occupancy.lanes, kBest);
}

TEST_F(OccupancyTest, AnotherKindOfDeviceIsMeasuredAnew) {
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  AwaitNote();
  scheduler_.reset();
  const size_t before = cpu_.launches().size();
  cpu_.name = "another";
  Start();
  ExpectNumbers(*SubmitNumbers(2000), 2000);
  EXPECT_EQ(LaunchesWith({}, before), cpu_.launches().size() - before);
}

TEST_F(OccupancyTest, SettingsOrADeviceWithoutProcessorsLeaveItAtAllLanes) {
  settings_.cpu.tunes_occupancy = false;
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  settings_.cpu.tunes_occupancy = true;
  cpu_.processors = 0;
  scheduler_.reset();
  Start();
  ExpectNumbers(*SubmitNumbers(30000), 30000);
  EXPECT_EQ(LaunchesWith({}), cpu_.launches().size());
}

// More seats than lanes are what fewer lanes can take in turns.
TEST_F(OccupancyTest, AJobWithASeatForEveryLaneIsLeftAlone) {
  Start();
  ExpectNumbers(*SubmitNumbers(4000), 4000);
  EXPECT_EQ(LaunchesWith({}), cpu_.launches().size());
}

}  // namespace
}  // namespace wb::test
