// NVIDIA's quick builds, of parts that are linked with a kernel, and the second kernel of full
// ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>

#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/chunk_builds.h"
#include "scheduler/devices/cuda/cubins.h"
#include "scheduler/devices/cuda/kernel_cubins.h"
#include "tests/scheduler/base/temporary_folder.h"
#include "tests/scheduler/devices/nvrtc_rig.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

TEST(CudaCompiler, TheQuickWayCompilesTheModulesPartAndLinksAKernelToIt) {
  const auto binary =
      BuildWithNvrtc(LinkedFakeNvrtc(), "GOOD\n" + ClosingText(KernelForm::kAnswers),
                     Floats::kMetal, Effort::kQuick);
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  const std::string text(AsText(*binary));
  EXPECT_EQ(text.rfind("-arch=sm_90\n", 0), 0u) << text.substr(0, 100);  // the linker's
  const size_t module = text.find("\nGOOD\n");
  const size_t kernel = text.find("\n-arch=sm_90 ", module);
  ASSERT_NE(module, std::string::npos);
  ASSERT_NE(kernel, std::string::npos);
  EXPECT_EQ(CountOfWords(text, "-rdc=true"), 2u);
  EXPECT_EQ(CountOfWords(text, "-maxrregcount=128 "), 2u);
  EXPECT_EQ(CountOfWords(text, "-ftz=true"), 1u);  // the kernel computes with no floats
  EXPECT_EQ(CountOfWords(text, "wasmburst/entry.metal"), 1u);
  EXPECT_GT(text.find("wasmburst/entry.metal"), kernel);
  EXPECT_GT(text.find("wasmburst/primitives.metal"), kernel);
  EXPECT_LT(text.find("wb_module_globals_at = WB_GLOBALS_AT"), kernel);
}

// Of so many bytes, with a kernel.
std::string LongFunctions(const std::string& first_line, size_t bytes) {
  std::string text = first_line + "\n";
  for (const char* name : {"wf_0", "wf_1", "wf_2"}) {
    text +=
        std::string("static WbR_i ") + name + "() {\n// " + std::string(bytes / 3, '.') + "\n}\n";
  }
  return text + ClosingText(KernelForm::kPlain);
}

TEST(CudaCompiler, TheQuickWayCompilesFunctionsSideBySideAndLinksTheKernelToAll) {
  if (ChunkBuilds::MostOfFew() < 2) GTEST_SKIP() << "There is one processor.";
  for (const size_t bytes : {size_t{9'000}, size_t{2'000'000}}) {
    const auto binary = BuildWithNvrtc(LinkedFakeNvrtc(), LongFunctions("GOOD", bytes),
                                       Floats::kMetal, Effort::kQuick);
    ASSERT_TRUE(binary.ok()) << binary.status().ToString();
    const std::string text(AsText(*binary));
    EXPECT_EQ(text.rfind("-arch=sm_90\n", 0), 0u) << text.substr(0, 100);  // the linker's
    const size_t parts = bytes < 10'000 ? std::min<size_t>(3, ChunkBuilds::MostOfFew()) : 3;
    EXPECT_EQ(CountOfWords(text, "-rdc=true"), parts + 1);
    EXPECT_EQ(CountOfWords(text, "-ftz=true"), parts);  // the kernel computes with no floats
    EXPECT_EQ(CountOfWords(text, "wasmburst/entry.metal"), 1u);
    EXPECT_EQ(CountOfWords(text, "wb_module_globals_at = WB_GLOBALS_AT"), 1u);
    for (const char* name : {"wf_0", "wf_1", "wf_2"}) {
      EXPECT_EQ(CountOfWords(text, std::string("WbR_i ") + name + "() {\n// ."), 1u) << name;
    }
  }
}

TEST(CudaCompiler, AChunksCompilerUsesTwoProcessorsWhereSomeAreLeft) {
  const std::string text = LongFunctions("GOOD", 2'000'000);
  NvrtcSettings settings = LinkedFakeNvrtc();
  for (const bool left : {false, true}) {
    settings.processors = (left ? 2 : 1) * ChunkBuilds::MostOfFew();
    const auto binary = BuildWithNvrtc(settings, text, Floats::kMetal, Effort::kQuick);
    ASSERT_TRUE(binary.ok()) << binary.status().ToString();
    EXPECT_EQ(CountOfWords(AsText(*binary), "-split-compile=2"), left ? 3u : 0u);
  }
}

// The functions do not call one another.
TEST(CudaCompiler, AFullBuildOfSomeFunctionsIsInChunksWhereThereAreManyProcessors) {
  NvrtcSettings settings = LinkedFakeNvrtc();
  for (const uint32_t processors : {4u, 8u}) {
    settings.processors = processors;
    const auto binary =
        BuildWithNvrtc(settings, LongFunctions("GOOD", 50'000), Floats::kNative, Effort::kFull);
    ASSERT_TRUE(binary.ok()) << binary.status().ToString();
    const auto kernels = SplitKernels(*binary);
    ASSERT_EQ(kernels->size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      const std::string text(AsText((*kernels)[i]));
      const char* registers = i == 0 ? "-maxrregcount=128 " : "-maxrregcount=64 ";
      EXPECT_EQ(CountOfWords(text, registers), processors == 8 ? 4u : 1u);
      EXPECT_EQ(CountOfWords(text, "-rdc=true"), processors == 8 ? 4u : 0u);
      EXPECT_EQ(CountOfWords(text, "wasmburst/entry.metal"), 1u);
    }
  }
}

// Of a short text that is not cut there is nothing better than the full one.
TEST(CudaCompiler, TheBestBuildIsOfTheWholeTextWhereTheFullOneIsInChunksOrLacksAKernel) {
  NvrtcSettings settings = LinkedFakeNvrtc();
  struct Case {
    uint32_t processors;
    size_t bytes;
    bool is_better;
  };
  for (const Case& each : {Case{8, 50'000, true}, Case{4, 50'000, false}, Case{8, 20'000, false},
                           Case{4, 125'000, false}, Case{8, 200'000, false}}) {
    settings.processors = each.processors;
    const auto binary =
        BuildWithNvrtc(settings, LongFunctions("GOOD", each.bytes), Floats::kNative, Effort::kBest);
    ASSERT_TRUE(binary.ok()) << binary.status().ToString();
    EXPECT_EQ(!binary->empty(), each.is_better) << each.processors << " " << each.bytes;
    if (!each.is_better) continue;
    const auto kernels = SplitKernels(*binary);
    ASSERT_EQ(kernels->size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
      const std::string text(AsText((*kernels)[i]));
      const char* registers = i == 0 ? "-maxrregcount=128 " : "-maxrregcount=64 ";
      EXPECT_EQ(CountOfWords(text, registers), 1u);
      EXPECT_EQ(CountOfWords(text, "-rdc=true"), 0u);
      EXPECT_EQ(CountOfWords(text, "wasmburst/entry.metal"), 1u);
    }
  }
  const std::string long_text = "GOOD" + std::string(200'000, ' ');  // hardly any functions
  const auto full = BuildWithNvrtc(settings, long_text);
  EXPECT_EQ(SplitKernels(*full)->size(), 1u);
  const auto best = BuildWithNvrtc(settings, long_text, Floats::kNative, Effort::kBest);
  EXPECT_EQ(SplitKernels(*best)->size(), 2u);
}

TEST(CudaCompiler, TheBestBuildOfATextThatReachesMemoryHasTiledKernels) {
  const auto text_of = [](const char* wat) {
    CompileOptions options;
    options.layout = MemoryLayout::kInterleaved;
    return "GOOD\n" + EmitKernel(*LowerText(wat), options)->text;
  };
  const auto best_of = [](const std::string& text) {
    return BuildWithNvrtc(LinkedFakeNvrtc(), text, Floats::kNative, Effort::kBest);
  };
  const std::string text = text_of(
      "(module (memory 1) (func (export \"run\") (param i32) (result i32)"
      " (i32.load (local.get 0))))");
  const auto best = best_of(text);
  ASSERT_TRUE(best.ok()) << best.status().ToString();
  const auto kernels = SplitKernels(*best);
  ASSERT_EQ(kernels->size(), 4u);
  for (const bool few : {false, true}) {
    for (const bool tiled : {false, true}) {
      const std::string kernel(
          AsText((*kernels)[KernelOf({.few_registers = few, .tiled = tiled})]));
      EXPECT_EQ(CountOfWords(kernel, few ? "-maxrregcount=64 " : "-maxrregcount=128 "), 1u);
      EXPECT_EQ(CountOfWords(kernel, "wb_reorder("), tiled ? 1u : 0u);
    }
  }
  EXPECT_EQ(SplitKernels(*BuildWithNvrtc(LinkedFakeNvrtc(), text))->size(), 2u);
  const auto without = best_of(text_of("(module (memory 1) (func (export \"run\")))"));
  ASSERT_TRUE(without.ok()) << without.status().ToString();
  EXPECT_TRUE(without->empty());
}

TEST(CudaCompiler, TheBestBuildOfATextWithHotBytesHasAKernelForThem) {
  const auto kernels_of = [](const char* wat) {
    const std::string text =
        "GOOD\n" + EmitKernel(*LowerText(wat), {.layout = MemoryLayout::kInterleaved})->text;
    const auto best = BuildWithNvrtc(LinkedFakeNvrtc(), text, Floats::kNative, Effort::kBest);
    const auto split = SplitKernels(*best);
    std::vector<std::string> kernels;
    for (const ByteView kernel : *split) kernels.emplace_back(AsText(kernel));
    return kernels;
  };
  const char* const table =
      "(module (memory 1) (func (export \"run\") (param i32) (result i32)"
      " (i32.load offset=4096 (i32.and (local.get 0) (i32.const 1020)))))";
  const auto with = kernels_of(table);
  ASSERT_EQ(with.size(), KernelOf({.hot = true}) + 1);
  EXPECT_EQ(CountOfWords(with.back(), "-maxrregcount=128 "), 1u);
  EXPECT_NE(with.back().find("wb_native_hot_word("), std::string::npos);
  EXPECT_EQ(CountOfWords(with.back(), "-DWB_BLOCK_LANES=31 -DWB_PROCESSOR_BLOCKS=7 "), 1u);
  EXPECT_EQ(CountOfWords(with.front(), "-DWB_BLOCK_LANES="), 0u);
  const char* const anywhere =
      "(module (memory 1) (func (export \"run\") (param i32) (result i32)"
      " (i32.load (local.get 0))))";
  EXPECT_EQ(kernels_of(anywhere).size(), 4u);
}

TEST(CudaCompiler, WhereChunksOfColdCallsCannotBeLinkedTheTextIsWhole) {
  NvrtcSettings settings = LinkedFakeNvrtc();
  settings.processors = 8;
  const auto binary = BuildWithNvrtc(settings, LongFunctions("GOOD LINKFAIL", 50'000),
                                     Floats::kNative, Effort::kFull);
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  EXPECT_EQ(AsText(*binary).find("-rdc=true"), std::string::npos);
}

TEST(CudaCompiler, WhatFailsInTheQuickWayIsBuiltWhole) {
  const TemporaryFolder folder;
  NvrtcSettings settings = LinkedFakeNvrtc();
  settings.work_directory = folder.path();
  const auto build = [&](const std::string& first_line) {
    const std::string text = first_line + "\n" + ClosingText(KernelForm::kPlain);
    return BuildWithNvrtc(settings, text, Floats::kNative, Effort::kQuick).status();
  };
  EXPECT_TRUE(build("GOOD").ok());
  const Status failed = build("FAIL");
  EXPECT_EQ(failed.reason(), Reason::kCompileFailed);
  EXPECT_NE(failed.message().find("kernel.metal(1): error: no"), std::string::npos);
  EXPECT_EQ(build("CRASH").reason(), Reason::kCompileFailed);
  const auto chunks = BuildWithNvrtc(settings, LongFunctions("GOOD LINKFAIL", 9'000),
                                     Floats::kNative, Effort::kQuick);
  ASSERT_TRUE(chunks.ok()) << chunks.status().ToString();
  EXPECT_EQ(AsText(*chunks).find("-rdc=true"), std::string::npos);
  // The whole text needs no linker.
  const auto whole = BuildWithNvrtc(settings, "GOOD LINKFAIL\n" + ClosingText(KernelForm::kPlain),
                                    Floats::kNative, Effort::kQuick);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  EXPECT_EQ(AsText(*whole).find("-rdc=true"), std::string::npos);
  settings.limits.max_time = std::chrono::milliseconds(2000);
  EXPECT_EQ(build("HANG").reason(), Reason::kCompileTimeout);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(CudaCompiler, ATextWithoutAKernelOrALinkerIsBuiltWholeInTheQuickWayToo) {
  const auto plain = BuildWithNvrtc(LinkedFakeNvrtc(), "GOOD", Floats::kNative, Effort::kQuick);
  ASSERT_TRUE(plain.ok()) << plain.status().ToString();
  EXPECT_EQ(AsText(*plain).find("-rdc=true"), std::string::npos);
  const auto compiler = CudaCompiler::Find(FakeNvrtc(), 90);
  ASSERT_TRUE(compiler.ok()) << compiler.status().ToString();
  EXPECT_EQ(compiler->quick_text_below(), 0u);
  compiler->BeginKernel();
  const std::string whole = "GOOD\n" + ClosingText(KernelForm::kPlain);
  const auto unlinked = BuildWithNvrtc(FakeNvrtc(), whole, Floats::kNative, Effort::kQuick);
  ASSERT_TRUE(unlinked.ok()) << unlinked.status().ToString();
  EXPECT_EQ(AsText(*unlinked).find("-rdc=true"), std::string::npos);
  EXPECT_NE(AsText(*unlinked).find("wasmburst/entry.metal"), std::string::npos);
}

TEST(KernelCubins, OneThatFailedIsBuiltAgain) {
  std::atomic<int> builds{0};
  KernelCubins kernels(false, [&builds](const std::string& text) -> Result<Bytes> {
    if (builds++ == 0) return Status(Reason::kCompileFailed, "no");
    return Bytes(text.begin(), text.end());
  });
  EXPECT_FALSE(kernels.Of(MemoryLayout::kInterleaved, KernelForm::kPlain).ok());
  const auto second = kernels.Of(MemoryLayout::kInterleaved, KernelForm::kPlain);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(*kernels.Of(MemoryLayout::kInterleaved, KernelForm::kPlain), *second);
  EXPECT_EQ(builds, 2);
  ASSERT_TRUE(kernels.Of(MemoryLayout::kInterleaved, KernelForm::kMeets).ok());
  EXPECT_EQ(builds, 3);
}

std::string KernelText(const Bytes& binary, size_t kernel) {
  const auto kernels = SplitKernels(binary);
  return kernel < kernels->size() ? std::string(AsText((*kernels)[kernel])) : "";
}

TEST(CudaCompiler, WhereATextHasAQuickBuildItsFullOneHasASecondKernelOfFewRegisters) {
  const auto both = BuildWithNvrtc(LinkedFakeNvrtc(), "GOOD");
  ASSERT_TRUE(both.ok()) << both.status().ToString();
  EXPECT_NE(KernelText(*both, 0).find("-maxrregcount=128 "), std::string::npos);
  EXPECT_NE(KernelText(*both, 1).find("-maxrregcount=64 "), std::string::npos);
  NvrtcSettings settings = LinkedFakeNvrtc();
  settings.resident = true;
  EXPECT_EQ(KernelText(*BuildWithNvrtc(settings, "GOOD"), 1), "");
  const std::string large = "GOOD" + std::string(200'000, ' ');
  EXPECT_EQ(KernelText(*BuildWithNvrtc(LinkedFakeNvrtc(), large), 1), "");
  EXPECT_EQ(KernelText(*BuildWithNvrtc(FakeNvrtc(), "GOOD"), 1), "");  // no quick builds
  const auto quick = BuildWithNvrtc(LinkedFakeNvrtc(), "GOOD\n" + ClosingText(KernelForm::kPlain),
                                    Floats::kNative, Effort::kQuick);
  EXPECT_EQ(KernelText(*quick, 1), "");
}

}  // namespace
}  // namespace wb::test
