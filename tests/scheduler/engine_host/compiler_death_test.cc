// A compiler at work dies with the engine host that started it, and so does all that it started.
// One that dies alone is tried again.

#include <gtest/gtest.h>
#ifdef __linux__
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using Clock = std::chrono::steady_clock;

// Tells its version; asked for anything else it starts another process and both sleep. In the
// folder that is its first word lie their ids then.
constexpr const char* kSleepyCompiler = R"(
case "$*" in *--version*) echo sleepy 1; exit ;; esac
sleep 1000 &
echo $$ $! >"$folder/new"
mv "$folder/new" "$folder/ids"
wait
)";

// Not there, or dead and not yet reaped.
bool IsGone(int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  return line.substr(line.rfind(')') + 2, 1) == "Z";
}

class CompilerDeathTest : public ::testing::Test {
 protected:
  CompilerDeathTest() {
    const std::string compiler = folder_.path() + "/sleepy";
    std::ofstream(compiler) << "#!/bin/sh\nfolder=" << folder_.path() << kSleepyCompiler;
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    SchedulerSettings settings;
    settings.engine_host_path = WB_ENGINE_HOST;
    settings.cache_directory = folder_.path() + "/cache";
    settings.compiler_path = compiler;
    scheduler_ = CreateScheduler(settings).value();
    JobSpec spec = NumberJob(NumberModule(), 4);
    spec.placement = Placement::kCpu;  // it ends nowhere else while the device is away
    EXPECT_TRUE(scheduler_->Submit(1, std::move(spec), sink_).ok());
  }

  // Of the compiler that was started last.
  std::vector<int64_t> AwaitIds() {
    const std::string path = folder_.path() + "/ids";
    while (!std::filesystem::exists(path)) std::this_thread::sleep_for(kLook);
    std::ifstream file(path);
    std::vector<int64_t> ids(2);
    file >> ids[0] >> ids[1];
    file.close();
    std::filesystem::remove(path);
    for (int64_t id : ids) EXPECT_FALSE(IsGone(id)) << id;
    return ids;
  }
  static void ExpectGoneWithinASecond(const std::vector<int64_t>& ids) {
    const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
    for (int64_t id : ids) {
      while (!IsGone(id) && Clock::now() < end) std::this_thread::sleep_for(kLook);
      EXPECT_TRUE(IsGone(id)) << id;
    }
  }

  static constexpr std::chrono::milliseconds kLook{5};
  TemporaryFolder folder_;
  std::shared_ptr<RecordingSink> sink_ = std::make_shared<RecordingSink>();
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(CompilerDeathTest, WhenTheHostIsKilledAndWhenTheSchedulerEnds) {
  const auto first = AwaitIds();
  ::kill(static_cast<pid_t>(scheduler_->Devices()[0].host_pid), SIGKILL);
  ExpectGoneWithinASecond(first);
  const auto second = AwaitIds();  // the next host's
  EXPECT_NE(second, first);
  scheduler_.reset();
  ExpectGoneWithinASecond(second);
}

// Ended from outside twice, as by the system for want of memory; then as it should be.
constexpr const char* kMortalCompiler = R"sh(
real=$(command -v clang++ clang++-14 g++ | head -n 1)
case "$*" in *--version*) exec "$real" "$@" ;; esac
echo run >>"$folder/runs"
[ "$(grep -c run "$folder/runs")" -gt 2 ] || kill -9 $$
exec "$real" "$@"
)sh";

TEST(KilledCompiler, IsTriedAgainForAJobThatInsists) {
  const TemporaryFolder folder;
  const std::string compiler = folder.path() + "/mortal";
  std::ofstream(compiler) << "#!/bin/sh\nfolder=" << folder.path() << kMortalCompiler;
  std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
  SchedulerSettings settings;
  settings.engine_host_path = WB_ENGINE_HOST;
  settings.cache_directory = folder.path() + "/cache";
  settings.compiler_path = compiler;
  const auto scheduler = CreateScheduler(settings).value();
  JobSpec spec = NumberJob(NumberModule(), 4);
  spec.placement = Placement::kCpu;
  const auto sink = std::make_shared<RecordingSink>();
  ASSERT_TRUE(scheduler->Submit(1, std::move(spec), sink).ok());
  sink->AwaitEnd();
  EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
  EXPECT_EQ(sink->Results().size(), 4u);
  EXPECT_EQ(scheduler->Devices()[0].restarts, 0u);
}

}  // namespace
}  // namespace wb::test
#endif
