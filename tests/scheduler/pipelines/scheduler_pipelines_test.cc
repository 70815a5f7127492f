// From module to pipeline: once per module, from memory or disk, and what happens when it fails.

#include <atomic>
#include <filesystem>
#include <memory>
#include <vector>

#include "tests/scheduler/scheduler_fixture.h"

namespace wb::test {
namespace {

TEST_F(SchedulerTest, TwoSubmittersOfOneModuleCompileOnce) {
  SlowBuild build;
  cpu_.on_build = build();
  Start();
  std::vector<SinkRef> sinks;
  for (int i = 0; i < 5; ++i) sinks.push_back(SubmitNumbers(3));
  for (const SinkRef& sink : sinks) {
    sink->AwaitProgress(
        [](const JobProgress& p) { return p.waiting_for.find("cpu0") != std::string::npos; });
  }
  build.Finish();
  for (const SinkRef& sink : sinks) ExpectNumbers(*sink, 3);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(cpu_.loads(), 1u);
  const SinkRef later = SubmitNumbers(3);
  ExpectNumbers(*later, 3);
  EXPECT_TRUE(later->usage().pipeline_cached);
  EXPECT_EQ(cpu_.builds(), 1u);
}

TEST_F(SchedulerTest, ARestartedDaemonFindsThePipelineOnDisk) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_TRUE(sink->usage().pipeline_cached);
  EXPECT_EQ(cpu_.builds(), 1u);
  EXPECT_EQ(scheduler_->CacheStatus().hits, 1u);
  ASSERT_EQ(scheduler_->CacheList().size(), 1u);
  EXPECT_GT(scheduler_->CachePrune(true).value(), 0u);
}

TEST_F(SchedulerTest, AnotherTargetIsAnotherPipeline) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  cpu_.target = "fake-2";
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, FlushedSubnormalsAreForJobsThatAllowThemOnDevicesThatFlush) {
  JobSpec fast = NumberJob(NumberModule(), 3);
  fast.fast32 = true;
  for (const Floats device : {Floats::kNative, Floats::kMetal}) {
    std::vector<Floats> built;
    cpu_.floats = device;
    cpu_.target = "fake-" + std::string(FloatsName(device));
    cpu_.on_build = [&](const KernelSource& source) -> Result<Bytes> {
      built.push_back(source.options.floats);
      return Bytes{1};
    };
    Start();
    const bool flushes = device == Floats::kMetal;
    for (const bool asks : {false, true, true, false}) {
      const SinkRef sink = asks ? Submit(fast) : SubmitNumbers(3);
      ExpectNumbers(*sink, 3);
      for (const InstanceResult& result : sink->Results()) {
        EXPECT_EQ(result.fast32, asks && flushes);
      }
    }
    // Two kernels of one module where the two kinds differ.
    EXPECT_EQ(built, flushes ? std::vector({Floats::kMetal, Floats::kFast32})
                             : std::vector({Floats::kNative}));
    scheduler_.reset();
  }
}

TEST_F(SchedulerTest, TheInterpreterIsExactForJobsThatAllowFlushing) {
  cpu_.floats = Floats::kMetal;
  Start();
  JobSpec fast = NumberJob(NumberModule(), 3);
  fast.fast32 = true;
  fast.placement = Placement::kInterpreter;
  const SinkRef sink = Submit(fast);
  ExpectNumbers(*sink, 3);
  EXPECT_FALSE(sink->Results()[0].fast32);
}

TEST_F(SchedulerTest, TheCacheDirectoryMayGoAtAnyTime) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  std::filesystem::remove_all(settings_.cache_directory);
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 2u);
}

TEST_F(SchedulerTest, WithAnotherKeyModulesAreBuiltAnewAndJobsGoOn) {
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  scheduler_.reset();
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 1u);
  scheduler_.reset();
  std::filesystem::remove(settings_.cache_key_folder + "/cache.key");
  std::string log;
  settings_.log = [&log](Severity, const std::string& words) { log += words; };
  Start();
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 2u);
  EXPECT_GE(scheduler_->CacheStatus().foreign, 1u);
  EXPECT_EQ(scheduler_->CacheStatus().corrupt, 0u);
  scheduler_.reset();
  EXPECT_NE(log.find("is not signed with this daemon's key"), std::string::npos) << log;
  settings_.cache_key_folder.clear();  // a key that is forgotten
  for (uint32_t builds : {3u, 4u}) {
    Start();
    ExpectNumbers(*SubmitNumbers(3), 3);
    EXPECT_EQ(cpu_.builds(), builds);
    scheduler_.reset();
  }
}

TEST_F(SchedulerTest, ABinaryThatDoesNotLoadIsBuiltAnew) {
  std::atomic<bool> bad{true};
  cpu_.on_load = [&](ByteView) {
    return bad.exchange(false) ? Status(Reason::kCompileFailed, "Bad binary.") : Status();
  };
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(cpu_.builds(), 2u);
  EXPECT_EQ(sink->Results()[0].device, "cpu0");
}

TEST_F(SchedulerTest, AFailedBuildGoesToTheInterpreterAndIsRemembered) {
  cpu_.on_build = [](const KernelSource&) -> Result<Bytes> {
    return Status(Reason::kCompileFailed, "The compiler crashed.");
  };
  Start();
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_NE(sink->progress().placement_reason.find("The compiler crashed."), std::string::npos);
  ExpectNumbers(*SubmitNumbers(3), 3);
  EXPECT_EQ(cpu_.builds(), 1u);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kCompileFailed);
}

TEST_F(SchedulerTest, AGpuRunsTheJobsThatAskForIt) {
  has_gpu_ = true;
  cuda_.target = "fake-gpu";  // else it would share the cpu's binary
  Start();
  ExpectNumbers(*SubmitNumbers(100), 100);
  EXPECT_TRUE(cuda_.launches().empty());
  JobSpec spec = NumberJob(NumberModule(), 3000);
  spec.placement = Placement::kGpu;
  const SinkRef sink = Submit(spec);
  ExpectNumbers(*sink, 3000);
  EXPECT_EQ(sink->Results().at(0).device, "cuda0");
  EXPECT_EQ(cuda_.builds(), 1u);
  EXPECT_EQ(scheduler_->Devices().size(), 3u);
}

// Compilers may take minutes, and two at a time keep all build threads.
TEST_F(SchedulerTest, TheInterpreterNeverWaitsForACompiler) {
  has_gpu_ = true;
  cuda_.target = "fake-gpu";
  SlowBuild build;
  cpu_.on_build = build();
  cuda_.on_build = build();
  Start();
  JobSpec spec = NumberJob(NumberModule(), 5);
  const SinkRef on_cpu = Submit(spec);
  spec.placement = Placement::kGpu;
  const SinkRef on_gpu = Submit(spec);
  spec.placement = Placement::kInterpreter;
  ExpectNumbers(*Submit(spec), 5);
  EXPECT_EQ(on_cpu->ends() + on_gpu->ends(), 0u);
  build.Finish();
  ExpectNumbers(*on_cpu, 5);
  ExpectNumbers(*on_gpu, 5);
}

TEST_F(SchedulerTest, WithoutAGpuAJobThatAsksForOneIsTold) {
  Start();
  JobSpec spec = NumberJob(NumberModule(), 10);
  spec.placement = Placement::kGpu;
  const SinkRef sink = Submit(spec);
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kNoDeviceFits);
  EXPECT_NE(sink->status().message().find("no GPU"), std::string::npos);
}

TEST_F(SchedulerTest, ARefusedModuleRunsOnTheInterpreterUnlessPinned) {
  Start(FakeCompiler(true));
  const SinkRef sink = SubmitNumbers(3);
  ExpectNumbers(*sink, 3);
  EXPECT_EQ(sink->Results()[0].device, "interpreter0");
  EXPECT_NE(sink->progress().placement_reason.find("The fake compiler refuses it."),
            std::string::npos);
  JobSpec pinned = NumberJob(NumberModule(), 1);
  pinned.placement = Placement::kCpu;
  const SinkRef insists = Submit(std::move(pinned));
  insists->AwaitEnd();
  EXPECT_EQ(insists->status().reason(), Reason::kWasmUnsupportedFeature);
}

TEST_F(SchedulerTest, ALoweringErrorEndsTheJob) {
  CompilerCalls compiler = FakeCompiler();
  compiler.lower = [](std::shared_ptr<const Module>) {
    return Result<std::shared_ptr<const LoweredModule>>(
        Status(Reason::kImportNotProvided, "No env.f here."));
  };
  Start(compiler);
  const SinkRef sink = SubmitNumbers(3);
  sink->AwaitEnd();
  EXPECT_EQ(sink->status().reason(), Reason::kImportNotProvided);
  EXPECT_FALSE(sink->cancelled());
}

TEST_F(SchedulerTest, AModuleIsLoweredOnce) {
  CompilerCalls compiler = FakeCompiler();
  std::atomic<int> lowered{0};
  compiler.lower = [&, lower = compiler.lower](std::shared_ptr<const Module> module) {
    ++lowered;
    return lower(std::move(module));
  };
  Start(compiler);
  const auto module = NumberModule();
  for (int i = 0; i < 3; ++i) ExpectNumbers(*Submit(NumberJob(module, 2)), 2);
  EXPECT_EQ(lowered.load(), 1);
}

// The compiler is asked for a job's common start once; where there is none, jobs that call other
// functions share what was lowered.
TEST_F(SchedulerTest, AModuleWithoutACommonStartIsEmittedOnceForACall) {
  CompilerCalls compiler = FakeCompiler();
  std::atomic<int> asked{0}, emitted{0};
  compiler.start = [&](const LoweredModuleRef&, const StartCall&) {
    ++asked;
    return LoweredModuleRef();
  };
  compiler.emit = [&, emit = compiler.emit](const LoweredModule& module,
                                            const CompileOptions& options) {
    ++emitted;
    return emit(module, options);
  };
  Start(compiler);
  const auto module = NumberModule();
  for (int i = 0; i < 3; ++i) ExpectNumbers(*Submit(NumberJob(module, 2)), 2);
  EXPECT_EQ(asked.load(), 1);
  EXPECT_EQ(emitted.load(), 1);
  JobSpec small = NumberJob(module, 2);
  small.limits.max_fuel = kMostStartFuel - 1;
  ExpectNumbers(*Submit(std::move(small)), 2);
  EXPECT_EQ(asked.load(), 1);  // its limits allow none
  EXPECT_EQ(emitted.load(), 1);
}

// What is lowered behind a common start has a pipeline of its own.
TEST_F(SchedulerTest, AJobRunsBehindItsCommonStart) {
  CompilerCalls compiler = FakeCompiler();
  std::atomic<int> started{0};
  compiler.start = [&, lower = compiler.lower](const LoweredModuleRef& module,
                                               const StartCall& call) -> LoweredModuleRef {
    ++started;
    auto derived = std::make_shared<Module>(*module->program.module);
    derived->common_start.emplace().function = call.function;
    return lower(std::move(derived)).value();
  };
  Start(compiler);
  const auto module = NumberModule();
  for (int i = 0; i < 3; ++i) ExpectNumbers(*Submit(NumberJob(module, 2)), 2);
  EXPECT_EQ(started.load(), 1);
}

}  // namespace
}  // namespace wb::test
