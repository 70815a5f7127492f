// Builds for a GPU in a device that runs nothing, and a device that runs what others build.

#include "scheduler/devices/cuda/cuda_builder.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/fakes/fake_gpu.h"
#include "tests/scheduler/devices/nvrtc_rig.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

KernelSource TextForBuilder() {
  KernelSource source;
  source.text = "GOOD\n";
  source.options.layout = MemoryLayout::kInterleaved;
  return source;
}

TEST(CudaBuilder, BuildsAsTheCompilerOfADeviceDoes) {
  const auto builder = CreateCudaBuilder("cuda7", LinkedFakeNvrtc(), "sm_90");
  ASSERT_TRUE(builder.ok()) << builder.status().ToString();
  const auto compiler = CudaCompiler::Find(LinkedFakeNvrtc(), 90);
  const DeviceInfo& info = (*builder)->info();
  EXPECT_EQ(info.id, "cuda7");
  EXPECT_EQ(info.engine, Engine::kCuda);
  EXPECT_EQ(info.target, compiler->target());  // which is in the keys of what is cached
  EXPECT_EQ(info.quick_text_below, compiler->quick_text_below());
  EXPECT_EQ(info.best_text_below, compiler->best_text_below());
  EXPECT_EQ(info.few_registers, compiler->has_two_kernels());
  const auto module = LowerText("(module (func (export \"run\")))");
  for (const Effort effort : {Effort::kFull, Effort::kQuick, Effort::kBest}) {
    const auto built = (*builder)->Build(*module, TextForBuilder(), effort);
    ASSERT_TRUE(built.ok()) << built.status().ToString();
    EXPECT_EQ(*built, *compiler->Build(TextForBuilder(), effort));
  }
}

TEST(CudaBuilder, RunsNothing) {
  CudaBuilds builds;
  builds.target = "tested";
  const auto builder = CreateCudaBuilder("cuda0", std::move(builds));
  EXPECT_EQ(builder->Load(nullptr, {}).status().reason(), Reason::kInternal);
  EXPECT_EQ(builder->Allocate(nullptr, {}).status().reason(), Reason::kInternal);
  EXPECT_EQ(builder->Await().status().reason(), Reason::kInternal);
  EXPECT_FALSE(builder->Sample().celsius.has_value());
  builder->Stop();
}

// The word comes from a process that runs what strangers wrote.
TEST(CudaBuilder, ItsArchitectureIsANumber) {
  for (const char* word : {"", "90", "sm_", "sm_9", "sm_90 -I/", "sm_90a", "sm_-90", "sm_12345"}) {
    const Status status = CreateCudaBuilder("cuda0", FakeNvrtc(), word).status();
    EXPECT_EQ(status.reason(), Reason::kConfigInvalid) << word;
    EXPECT_NE(status.message().find("[" + std::string(word) + "]"), std::string::npos)
        << status.message();
  }
  EXPECT_EQ(ArchitectureName(120), "sm_120");
}

TEST(CudaBuilder, ADeviceWithoutACompilerRunsWhatABuilderBuilt) {
  FakeGpu gpu;
  CudaParts parts = gpu.Parts();
  const auto builder = CreateCudaBuilder("cuda0", std::exchange(parts.builds, {}));
  auto device = CreateCudaDevice({}, std::move(parts));
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  EXPECT_EQ((*device)->info().target, "");
  EXPECT_EQ((*device)->info().quick_text_below, 0u);
  const Work work = {.module = LowerText(R"((module (func (export "run") (param i32) (result i32)
    (i32.add (local.get 0) (i32.const 1)))))")};
  const KernelSource source = *EmitKernel(*work.module, (*device)->info().options);
  const Status built = (*device)->Build(*work.module, source).status();
  EXPECT_EQ(built.reason(), Reason::kInternal);
  EXPECT_NE(built.message().find("builds no kernels"), std::string::npos);
  const auto binary = builder->Build(*work.module, source);
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  EXPECT_TRUE((*device)->Load(work.module, *binary).ok());
}

}  // namespace
}  // namespace wb::test
