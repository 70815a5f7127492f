// A GPU's device as two processes that are isolated: one runs kernels and starts nothing, the other
// compiles. The GPU is made of this processor; the compiler of the last test is the real host's.

#include <gtest/gtest.h>
#ifdef __linux__
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "compiler/compiler.h"
#include "scheduler/base/lowered_modules.h"
#include "scheduler/engine_host/connection.h"
#include "scheduler/engine_host/messages.h"
#include "scheduler/sandbox/sandbox.h"
#include "scheduler/scheduler.h"
#include "tests/fakes/recording_sink.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

std::vector<std::string> WordsOfProcess(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

// Children of this process that are hosts of the device, with this policy.
std::vector<int64_t> HostsOf(const std::string& device, const std::string& policy) {
  std::vector<int64_t> pids;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream children(thread.path() / "children");
    for (std::string pid; children >> pid;) {
      const std::vector<std::string> words = WordsOfProcess(pid);
      if (words.size() > 5 && words[1] == device && words[5] == policy) {
        pids.push_back(std::stoll(pid));
      }
    }
  }
  return pids;
}

// What the host has begun since, with all that they began.
std::string ChildrenOf(int64_t pid) {
  const std::string task = "/proc/" + std::to_string(pid) + "/task/";
  std::string children;
  for (const auto& thread : std::filesystem::directory_iterator(task)) {
    std::ifstream file(thread.path() / "children");
    children.append(std::istreambuf_iterator<char>(file), {});
  }
  return children;
}

class GpuHostsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Sandbox::IsPossible()) GTEST_SKIP() << "nothing is isolated here";
    if (!std::filesystem::exists("/proc/thread-self/children")) {
      GTEST_SKIP() << "this kernel does not tell children";
    }
    settings_.engine_host_path = WB_FAKE_GPU_HOST;
    settings_.cache_directory = folder_.path() + "/cache";
    settings_.start_on_interpreter = false;
    settings_.cuda_enabled = settings_.cuda_required = true;
    settings_.isolation = Isolation::kAuto;
    scheduler_ = CreateScheduler(settings_).value();
  }

  void ExpectAJobRuns(uint32_t salt) {
    JobSpec spec = NumberJob(ModuleOf("(module (func (export \"run\") (param i32) (result i32) "
                                      "(i32.add (local.get 0) (i32.const " +
                                      std::to_string(salt) + "))))"),
                             50);
    spec.placement = Placement::kGpu;
    const auto sink = std::make_shared<RecordingSink>();
    ASSERT_TRUE(scheduler_->Submit(salt, std::move(spec), sink).ok());
    sink->AwaitEnd();
    ASSERT_TRUE(sink->status().ok()) << sink->status().ToString();
    const auto results = sink->Results();
    ASSERT_EQ(results.size(), 50u);
    for (uint32_t i = 0; i < results.size(); ++i) {
      ASSERT_EQ(results[i].steps.at(0).values.at(0), Value::I32(i + salt));
      ASSERT_EQ(results[i].device, "cuda0");
    }
  }
  DeviceStatus Gpu() const {
    for (DeviceStatus& status : scheduler_->Devices()) {
      if (status.info.engine == Engine::kCuda) return status;
    }
    return {};
  }

  TemporaryFolder folder_;
  SchedulerSettings settings_;
  std::unique_ptr<Scheduler> scheduler_;
};

TEST_F(GpuHostsTest, OneRunsAndHasNoFolderAndOneBuilds) {
  const auto runners = HostsOf("cuda0", "gpu");
  const auto builders = HostsOf("cuda0", "builder");
  ASSERT_EQ(runners.size(), 1u);
  ASSERT_EQ(builders.size(), 1u);
  EXPECT_EQ(Gpu().host_pid, runners[0]);
  EXPECT_EQ(WordsOfProcess(std::to_string(runners[0])).at(6), "");
  EXPECT_NE(WordsOfProcess(std::to_string(builders[0])).at(6), "");
  EXPECT_EQ(Gpu().info.target, "fake");  // as the builder has it: the key of what is cached
  ExpectAJobRuns(3);
  EXPECT_EQ(ChildrenOf(runners[0]), "");
  EXPECT_EQ(Gpu().restarts, 0u);
}

TEST_F(GpuHostsTest, TheLossOfEitherIsMadeGood) {
  ExpectAJobRuns(1);
  uint32_t salt = 2;
  for (const char* policy : {"builder", "gpu", "builder"}) {
    const uint64_t restarts = Gpu().restarts;
    const auto hosts = HostsOf("cuda0", policy);
    ASSERT_EQ(hosts.size(), 1u);
    ::kill(static_cast<pid_t>(hosts[0]), SIGKILL);
    while (Gpu().restarts == restarts) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ExpectAJobRuns(salt++);
    EXPECT_EQ(HostsOf("cuda0", "gpu").size(), 1u);
    EXPECT_EQ(HostsOf("cuda0", "builder").size(), 1u);
  }
}

// The real host with a compiler that does as its text says. There is no driver and no GPU here.
TEST_F(GpuHostsTest, TheHostThatBuildsNeedsNoGpu) {
  EngineConnection::Plan plan;
  plan.program = WB_ENGINE_HOST;
  plan.name = "cuda9";
  plan.isolation = {Isolation::kAuto, SandboxPolicy::kBuilder, "", {WB_FAKE_NVRTC}};
  std::atomic<bool> lost{false};
  const auto builder = EngineConnection::Start(plan, [&lost] { lost = true; });
  ASSERT_TRUE(builder.ok()) << builder.status().ToString();
  wasmburst::engine::Request request;
  wasmburst::engine::Hello& hello = *request.mutable_hello();
  hello.set_version(std::string(CompilerVersion()));
  hello.set_engine(static_cast<uint32_t>(Engine::kCuda));
  hello.set_id("cuda9");
  hello.set_runs_only(false);
  hello.set_builds_for("sm_80");
  CompilerLimits limits;
  limits.isolation = Isolation::kAuto;
  Put(limits, *hello.mutable_compile());
  Put(CudaLibraries{"/nowhere/libcuda.so", WB_FAKE_NVRTC, ""}, *hello.mutable_cuda_libraries());
  const auto greeted = (*builder)->Call(request, std::chrono::seconds(60));
  ASSERT_TRUE(greeted.ok()) << greeted.status().ToString();
  EXPECT_EQ(greeted->info().target().rfind("cuda nvrtc-98.7 sm_80 ", 0), 0u);

  LoweredModules modules;
  const auto lowered = modules.Load(ModuleOf("(module (func (export \"run\")))")->binary()).value();
  KernelSource source = *EmitKernel(*lowered, {.layout = MemoryLayout::kInterleaved});
  wasmburst::engine::Request build;
  Put(*lowered->program.module, source, *build.mutable_build());
  const auto built = (*builder)->Call(build, std::chrono::seconds(60));
  ASSERT_TRUE(built.ok()) << built.status().ToString();
  EXPECT_NE(built->binary().find("-arch=sm_80 "), std::string::npos);
  source.text = "CRASH\n";
  Put(*lowered->program.module, source, *build.mutable_build());
  EXPECT_EQ((*builder)->Call(build, std::chrono::seconds(60)).status().reason(),
            Reason::kCompileFailed);
  EXPECT_FALSE(lost);
}

}  // namespace
}  // namespace wb::test
#endif
