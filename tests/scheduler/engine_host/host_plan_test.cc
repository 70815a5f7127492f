// Which processes a device has, and what each is told.

#include "scheduler/engine_host/host_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scheduler/sandbox/sandbox.h"

namespace wb {
namespace {

EngineHostSettings SettingsOf(Engine engine, Isolation isolation = Isolation::kAuto) {
  EngineHostSettings settings;
  settings.program = "wasmburst-engine";
  settings.engine = engine;
  settings.id = "device0";
  settings.threads = 8;
  settings.compile_parallel = 4;
  settings.isolation = isolation;
  return settings;
}

TEST(HostPlan, OnlyWhatStartsCompilersAndIsIsolatedHasAHostThatBuilds) {
  for (const Engine engine : {Engine::kCpu, Engine::kCuda}) {
    EXPECT_EQ(HasBuilder(SettingsOf(engine)), Sandbox::IsPossible());
    EXPECT_FALSE(HasBuilder(SettingsOf(engine, Isolation::kOff)));
  }
  EXPECT_FALSE(HasBuilder(SettingsOf(Engine::kInterpreter)));
  EXPECT_FALSE(HasBuilder(SettingsOf(Engine::kMetal)));
}

TEST(HostPlan, OneRunsAndTheOtherBuildsForIt) {
  const EngineHostSettings runner = RunnerOf(SettingsOf(Engine::kCpu));
  const auto runs = HelloOf(runner).hello();
  EXPECT_TRUE(runs.runs_only());
  EXPECT_EQ(runs.compile_parallel(), 1u);
  EXPECT_EQ(runs.threads(), 8u);
  EXPECT_EQ(runs.builds_for(), "");
  const auto builds = HelloOf(BuilderOf(SettingsOf(Engine::kCpu), "avx2")).hello();
  EXPECT_FALSE(builds.runs_only());
  EXPECT_EQ(builds.compile_parallel(), 4u);
  EXPECT_EQ(builds.threads(), 1u);
  EXPECT_EQ(builds.builds_for(), "avx2");
  EXPECT_EQ(builds.id(), "device0");
}

TEST(HostPlan, EachMayDoWhatItsWorkNeeds) {
  const auto policy = [](const EngineHostSettings& settings) {
    return PlanOf(settings).isolation.policy;
  };
  EXPECT_EQ(policy(SettingsOf(Engine::kInterpreter)), SandboxPolicy::kEngine);
  EXPECT_EQ(policy(SettingsOf(Engine::kCpu)), SandboxPolicy::kBuilder);
  EXPECT_EQ(policy(RunnerOf(SettingsOf(Engine::kCpu))), SandboxPolicy::kEngine);
  EXPECT_EQ(policy(RunnerOf(SettingsOf(Engine::kCuda))), SandboxPolicy::kGpu);
}

// A library that is named by its path is one that the host must be able to open.
TEST(HostPlan, OnlyAnNvtxWithAPathIsAProgram) {
  EngineHostSettings settings = SettingsOf(Engine::kCuda);
  const auto has = [&](const std::string& program) {
    const auto programs = PlanOf(settings).isolation.programs;
    return std::find(programs.begin(), programs.end(), program) != programs.end();
  };
  settings.cuda_libraries.nvtx = "libnvtx.so";
  EXPECT_FALSE(has("libnvtx.so"));
  settings.cuda_libraries.nvtx = "/opt/libnvtx.so";
  EXPECT_TRUE(has("/opt/libnvtx.so"));
}

}  // namespace
}  // namespace wb
