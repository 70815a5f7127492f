// Backtraces through a whole scheduler: the guest runs again in an engine host for that alone.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scheduler/devices/interpreter/interpreter_device.h"
#include "scheduler/engine_host/host_process.h"
#include "scheduler/scheduler_parts.h"
#include "tests/fakes/forwarding_device.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"
#include "tests/scheduler/trace/trapped_run.h"

namespace wb::test {
namespace {

JobSpec TrappingJob(uint64_t instances) {
  return NumberJob(ModuleOf(R"((module (memory 1)
    (func (param i32) (unreachable))
    (func (export "run") (param i32) (result i32) (call 0 (local.get 0)) (i32.const 1))))"),
                   instances);
}

std::string Contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The process of this one in which instances are replayed; 0: there is none.
pid_t ReplayHost() {
  const std::string words = std::string("replay") + '\0' + std::to_string(::getpid()) + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (Contents(entry.path() / "cmdline").find(words) != std::string::npos) {
      return std::stoi(entry.path().filename());
    }
  }
  return 0;
}

class SchedulerReplayTest : public ::testing::Test {
 protected:
  SchedulerReplayTest() {
    settings_.engine_host_path = WB_ENGINE_HOST;
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.cpu_enabled = false;
    settings_.backtraces.idle = std::chrono::hours(1);
  }

  // A scheduler whose interpreter is in this process, and whose replays run on what `change` makes
  // of the engine host that was started for them.
  void StartWith(std::function<void(StartedDevice& host)> change) {
    SchedulerParts parts;
    parts.interpreter = [](const std::function<void()>&) -> Result<StartedDevice> {
      return StartedDevice{CreateInterpreterDevice({})};
    };
    auto modules = std::make_shared<LoweredModules>();
    parts.tracer = std::make_unique<Tracer>(
        modules,
        [start = ReplayStarter(settings_),
         change = std::move(change)](std::function<void()> on_lost) -> Result<StartedDevice> {
          WB_ASSIGN(StartedDevice started, start(std::move(on_lost)));
          change(started);
          return started;
        },
        settings_.backtraces);
    parts.compiler = RealCompiler(std::move(modules));
    parts.clock = &SystemClock();
    scheduler_ = AssembleScheduler(settings_, std::move(parts)).value();
  }

  std::vector<InstanceResult> ResultsOf(JobSpec spec) {
    auto sink = std::make_shared<RecordingSink>();
    EXPECT_TRUE(scheduler_->Submit(next_id_++, std::move(spec), sink).ok());
    sink->AwaitEnd();
    EXPECT_TRUE(sink->status().ok()) << sink->status().ToString();
    EXPECT_EQ(sink->ends(), 1u);
    return sink->Results();
  }

  TemporaryFolder folder_;
  SchedulerSettings settings_;
  std::unique_ptr<Scheduler> scheduler_;
  JobId next_id_ = 1;
};

TEST_F(SchedulerReplayTest, TrapsAreReplayedInAProcessOfTheirOwn) {
  scheduler_ = CreateScheduler(settings_).value();
  EXPECT_EQ(ReplayHost(), 0);
  const std::vector<InstanceResult> results = ResultsOf(TrappingJob(5));
  ASSERT_EQ(results.size(), 5u);
  size_t traced = 0;
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.end, End::kTrapped);
    EXPECT_EQ(result.backtrace_error, "");
    traced += result.backtrace.size();
  }
  EXPECT_EQ(traced, 3u * 2u);  // three traps, two calls each
  const pid_t host = ReplayHost();
  ASSERT_NE(host, 0);
  EXPECT_GE(getpriority(PRIO_PROCESS, static_cast<id_t>(host)),
            std::min(19, getpriority(PRIO_PROCESS, 0) + 10));
#ifndef WB_SANITIZED
  const std::string limits = Contents("/proc/" + std::to_string(host) + "/limits");
  const std::string most = std::to_string(settings_.backtraces.memory_bytes + kStacksOfHost);
  EXPECT_NE(limits.find("Max data size             " + most), std::string::npos) << limits;
#endif
  scheduler_.reset();
  EXPECT_EQ(ReplayHost(), 0);
}

// Short ones are copied to the host, long ones are mapped there.
TEST_F(SchedulerReplayTest, AnInputThatDevicesKeepGoesToTheHost) {
  scheduler_ = CreateScheduler(settings_).value();
  uint8_t depth = 5;
  for (const size_t bytes : {kLeastKeptBytes, size_t{16} << 20}) {
    JobSpec spec = NumberJob(ModuleOf(kInputSaysHowDeep), 1);
    spec.columns.push_back(InputOf(bytes, ++depth));
    spec.inputs = {1};
    const InstanceResult result = ResultsOf(std::move(spec)).at(0);
    EXPECT_EQ(result.end, End::kTrapped);
    EXPECT_EQ(result.backtrace_error, "");
    EXPECT_EQ(result.backtrace.size(), depth + 2u);  // the innermost call, and `run`
  }
  EXPECT_NE(ReplayHost(), 0);
}

TEST_F(SchedulerReplayTest, WithoutBacktracesNothingRunsAgain) {
  settings_.backtraces.per_job = 0;
  scheduler_ = CreateScheduler(settings_).value();
  const std::vector<InstanceResult> results = ResultsOf(TrappingJob(2));
  ASSERT_EQ(results.size(), 2u);
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.end, End::kTrapped);
    EXPECT_TRUE(result.backtrace.empty());
    EXPECT_EQ(result.backtrace_error, "");
  }
  EXPECT_EQ(ReplayHost(), 0);
}

TEST_F(SchedulerReplayTest, AnInstanceBeyondTheLimitsStartsNoProcess) {
  settings_.backtraces.fuel = 1;
  scheduler_ = CreateScheduler(settings_).value();
  EXPECT_TRUE(ResultsOf(TrappingJob(1)).at(0).backtrace.empty());
  settings_.backtraces.fuel = 1000;
  settings_.backtraces.memory_bytes = abi::PAGE_BYTES;  // an instance may have a quarter
  scheduler_ = CreateScheduler(settings_).value();
  EXPECT_TRUE(ResultsOf(TrappingJob(1)).at(0).backtrace.empty());
  EXPECT_EQ(ReplayHost(), 0);
}

TEST_F(SchedulerReplayTest, AHostKilledInAReplayCostsTheBacktraceAlone) {
  class KilledInLaunch final : public ForwardingDevice {
   public:
    explicit KilledInLaunch(const StartedDevice& host)
        : ForwardingDevice(host.device), pid_(static_cast<pid_t>(host.host_pid)) {}
    Status Begin(Dispatch& dispatch, const LaunchLimits& limits) override {
      ::kill(pid_, SIGKILL);
      return real_->Begin(dispatch, limits);
    }

   private:
    const pid_t pid_;
  };
  int starts = 0;
  StartWith([&](StartedDevice& host) {
    if (++starts == 1) host.device = std::make_shared<KilledInLaunch>(host);
  });
  const std::vector<InstanceResult> results = ResultsOf(TrappingJob(3));
  ASSERT_EQ(results.size(), 3u);
  std::vector<std::string> errors;
  for (const InstanceResult& result : results) {
    EXPECT_EQ(result.end, End::kTrapped);
    EXPECT_EQ(result.backtrace.empty(), !result.backtrace_error.empty());
    if (!result.backtrace_error.empty()) errors.push_back(result.backtrace_error);
  }
  const std::vector<std::string> want = {
      "The engine host of the device [replay] was ended by signal [9]. It is bounded by "
      "backtraces.max_memory_bytes and backtraces.max_time."};
  EXPECT_EQ(errors, want);
  EXPECT_EQ(starts, 2);
}

TEST_F(SchedulerReplayTest, AHostThatHangsIsKilledAtTheDeadline) {
  settings_.backtraces.time = std::chrono::milliseconds(500);
  settings_.backtraces.per_job = 1;
  pid_t hung = 0;
  StartWith([&](StartedDevice& host) {
    hung = static_cast<pid_t>(host.host_pid);
    ::kill(hung, SIGSTOP);
  });
  const std::vector<InstanceResult> results = ResultsOf(TrappingJob(1));
  EXPECT_TRUE(results.at(0).backtrace.empty());
  EXPECT_NE(results.at(0).backtrace_error, "");
  scheduler_.reset();
  // Of a machine so slow that the host had not started by then there is none.
  EXPECT_TRUE(hung == 0 || ::kill(hung, 0) != 0);
}

TEST_F(SchedulerReplayTest, AnInstanceMayHaveAQuarterOfTheProcess) {
  scheduler_ = CreateScheduler(settings_).value();
  JobSpec spec = NumberJob(ModuleOf(R"((module (memory 4096)
    (func (export "run") (param i32) (result i32)
      (i32.store (i32.const 268435452) (i32.const 1)) unreachable)))"),
                           1);
  spec.limits.max_memory_bytes = uint64_t{256} << 20;
  const InstanceResult result = ResultsOf(std::move(spec)).at(0);
  EXPECT_EQ(result.memory_pages * uint64_t{abi::PAGE_BYTES}, settings_.backtraces.instance_bytes());
  EXPECT_EQ(result.backtrace_error, "");
  EXPECT_EQ(result.backtrace.size(), 1u);
}

TEST_F(SchedulerReplayTest, AnInstanceThatDoesNotFitIntoTheProcessSaysSo) {
  settings_.backtraces.memory_bytes = 100;
  scheduler_ = CreateScheduler(settings_).value();
  const InstanceResult result =
      ResultsOf(
          NumberJob(
              ModuleOf("(module (func (export \"run\") (param i32) (result i32) unreachable))"), 1))
          .at(0);
  EXPECT_EQ(result.end, End::kTrapped);
  EXPECT_TRUE(result.backtrace.empty());
  EXPECT_NE(result.backtrace_error.find("[100]"), std::string::npos) << result.backtrace_error;
}

#ifndef WB_SANITIZED
TEST(LimitMemory, AProcessGetsNoMore) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto take = [](size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  };
  EXPECT_EXIT(
      {
        LimitMemory(uint64_t{64} << 20);
        if (take(size_t{32} << 20) == MAP_FAILED) ::_exit(1);
        ::_exit(take((size_t{64} << 20) + kStacksOfHost) == MAP_FAILED ? 0 : 2);
      },
      testing::ExitedWithCode(0), "");
}
#endif

}  // namespace
}  // namespace wb::test
