// NVRTC in its own process: what it may do, and what its failures become. All but three tests use
// libraries that fail as they are told (tests/fakes/fake_nvrtc.cc, fake_nvjitlink.cc).

#include "scheduler/devices/cuda/cuda_compiler.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compiler/emit/chunks.h"
#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/cuda/cubins.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/scheduler/base/temporary_folder.h"
#include "tests/scheduler/devices/nvrtc_rig.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

TEST(CudaCompiler, TheLibraryGetsFlagsPreludeAndText) {
  const auto cubin = BuildWithNvrtc(FakeNvrtc(), "GOOD");
  ASSERT_TRUE(cubin.ok()) << cubin.status().ToString();
  const std::string text(AsText(SplitKernels(*cubin)->at(0)));
  EXPECT_EQ(text.rfind("-arch=sm_90 ", 0), 0u) << text.substr(0, 200);
  EXPECT_NE(text.find(" -fmad=false "), std::string::npos);
  EXPECT_EQ(text.find("-ftz=true"), std::string::npos);
  EXPECT_NE(text.find("\nGOOD\n"), std::string::npos);
  EXPECT_NE(text.find("wb_entry"), std::string::npos);  // the epilogue
  const auto metal = BuildWithNvrtc(FakeNvrtc(), "GOOD", Floats::kMetal);
  EXPECT_NE(std::string(metal->begin(), metal->end()).find("-ftz=true"), std::string::npos);
}

std::string ThreeFunctions(const std::string& first_line) {
  std::string text = first_line + "\n";
  for (const char* name : {"wf_0", "wf_1", "wf_2"}) {
    text += std::string("static WbR_i ") + name + "() {\n}\n";
  }
  return text;
}

TEST(CudaCompiler, ALongTextIsCompiledInChunksToBeLinked) {
  NvrtcSettings settings = FakeNvrtc();
  settings.chunk_bytes = 1;
  const auto binary = BuildWithNvrtc(settings, ThreeFunctions("GOOD"));
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  const auto cubins = SplitCubins(*binary);
  ASSERT_TRUE(cubins.ok()) << cubins.status().ToString();
  ASSERT_EQ(cubins->size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    const std::string text(AsText((*cubins)[i]));
    EXPECT_NE(text.find("-rdc=true"), std::string::npos);
    EXPECT_NE(text.find("WbR_i wf_" + std::to_string(i) + "() {"), std::string::npos);
    EXPECT_EQ(text.find("wb_entry") != std::string::npos, i == 2);  // the epilogue
  }
  EXPECT_EQ(BuildWithNvrtc(settings, ThreeFunctions("FAIL")).status().reason(),
            Reason::kCompileFailed);
  settings.limits.max_time = std::chrono::milliseconds(300);
  EXPECT_EQ(BuildWithNvrtc(settings, ThreeFunctions("HANG")).status().reason(),
            Reason::kCompileTimeout);
}

TEST(CudaCompiler, WhereThereIsALinkerChunksAreLinkedBesideTheCompiler) {
  NvrtcSettings settings;
  settings.library_path = WB_FAKE_LINKED_NVRTC;
  settings.chunk_bytes = 1;
  EXPECT_NE(CudaCompiler::Find(settings, 90)->target().find(" nvjitlink-98.9 "), std::string::npos);
  const auto binary = BuildWithNvrtc(settings, ThreeFunctions("GOOD"));
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  EXPECT_EQ(SplitCubins(*binary)->size(), 1u);
  const std::string text(AsText(*binary));
  EXPECT_EQ(text.rfind("-arch=sm_90\n", 0), 0u) << text.substr(0, 100);
  for (const char* name : {"wf_0", "wf_1", "wf_2"}) {
    EXPECT_NE(text.find(std::string("WbR_i ") + name + "() {"), std::string::npos) << name;
  }
}

// A driver would do the same in an engine host (scheduler/devices/docs/nvrtc.md).
TEST(CudaCompiler, ALinkerThatHangsOrFailsIsACompilerThatDoes) {
  NvrtcSettings settings;
  settings.library_path = WB_FAKE_LINKED_NVRTC;
  settings.chunk_bytes = 1;
  const Status failed = BuildWithNvrtc(settings, ThreeFunctions("GOOD LINKFAIL")).status();
  EXPECT_EQ(failed.reason(), Reason::kCompileFailed);
  EXPECT_NE(failed.message().find("nvJitLink ended with [6]: error: no such function"),
            std::string::npos)
      << failed.message();
  settings.limits.max_time = std::chrono::milliseconds(2000);
  const Status hung = BuildWithNvrtc(settings, ThreeFunctions("GOOD LINKHANG")).status();
  EXPECT_EQ(hung.reason(), Reason::kCompileTimeout) << hung.ToString();
  EXPECT_NE(hung.message().find("[nvJitLink 98.9]"), std::string::npos) << hung.message();
}

TEST(CudaCompiler, TheTargetNamesVersionAndGpu) {
  const auto compiler = CudaCompiler::Find(FakeNvrtc(), 90);
  ASSERT_TRUE(compiler.ok()) << compiler.status().ToString();
  EXPECT_EQ(compiler->target().rfind("cuda nvrtc-98.7 sm_90 -default-device ", 0), 0u)
      << compiler->target();
}

TEST(CudaCompiler, WhatHangsIsStopped) {
  NvrtcSettings settings = FakeNvrtc();
  settings.limits.max_time = std::chrono::milliseconds(300);
  const Status status = BuildWithNvrtc(settings, "HANG").status();
  EXPECT_EQ(status.reason(), Reason::kCompileTimeout) << status.ToString();
  EXPECT_NE(status.message().find("[300] ms"), std::string::npos) << status.message();
}

TEST(CudaCompiler, WhatCrashesEndsNobodyElse) {
  const Status status = BuildWithNvrtc(FakeNvrtc(), "CRASH").status();
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("signal [6]"), std::string::npos) << status.message();
}

TEST(CudaCompiler, MemoryIsBounded) {
  NvrtcSettings settings = FakeNvrtc();
  settings.limits.max_memory_bytes = uint64_t{256} << 20;
  const Status status = BuildWithNvrtc(settings, "EAT").status();
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("NVRTC ended with [1]"), std::string::npos) << status.message();
}

TEST(CudaCompiler, ATextThatDoesNotCompileSaysWhyInAFewLines) {
  const Status status = BuildWithNvrtc(FakeNvrtc(), "FAIL").status();
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("kernel.metal(1): error: no"), std::string::npos)
      << status.message();
  EXPECT_EQ(status.message().find("kernel.metal(20)"), std::string::npos);
}

TEST(CudaCompiler, WhatIsMissingIsNamedWithEveryPlaceLookedAt) {
  NvrtcSettings settings;
  settings.library_path = "/nowhere/libnvrtc.so";
  Status status = CudaCompiler::Find(settings, 90).status();
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid);
  EXPECT_NE(status.message().find("NVRTC was not found; looked for [/nowhere/libnvrtc.so]"),
            std::string::npos)
      << status.message();
  settings.program_path = "/nowhere/wasmburst-nvrtc";
  status = CudaCompiler::Find(settings, 90).status();
  EXPECT_EQ(status.reason(), Reason::kConfigInvalid);
  EXPECT_NE(status.message().find("[/nowhere/wasmburst-nvrtc]"), std::string::npos);
  settings.program_path = "/bin/true";  // ends well and answers nothing
  EXPECT_FALSE(CudaCompiler::Find(settings, 90).ok());
}

TEST(CudaCompiler, LeavesNothingBehind) {
  const TemporaryFolder folder;
  NvrtcSettings settings = FakeNvrtc();
  settings.work_directory = folder.path();
  EXPECT_TRUE(BuildWithNvrtc(settings, "GOOD").ok());
  EXPECT_FALSE(BuildWithNvrtc(settings, "CRASH").ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

#ifdef __linux__
// Not a test by itself: what the next one starts in a process of its own, and kills.
TEST(CudaCompilerHost, DISABLED_HangsInTheTemporaryFolder) {
  (void)BuildWithNvrtc(FakeNvrtc(), "HANG");
}

// The number in the file named "pid" somewhere below `folder`; 0 while no such file has one.
int64_t PidWritten(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code gone;  // folders come and go meanwhile
  int64_t pid = 0;
  fs::recursive_directory_iterator entry(folder, gone);
  for (; !gone && entry != fs::recursive_directory_iterator(); entry.increment(gone)) {
    if (entry->path().filename() == "pid") std::ifstream(entry->path()) >> pid;
  }
  return pid;
}

bool IsGone(int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return true;
  return line.substr(line.rfind(')') + 2, 1) == "Z";
}

TEST(CudaCompiler, DiesWithTheProcessThatStartedIt) {
  const auto folder = PrivateFolder::Create("");
  ChildPlan plan;
  plan.argv = {std::filesystem::read_symlink("/proc/self/exe").string(),
               "--gtest_filter=CudaCompilerHost.*", "--gtest_also_run_disabled_tests"};
  plan.env = {"TMPDIR=" + folder->path()};
  plan.folder = folder->path();
  plan.output = folder->path() + "/output.txt";
  plan.limits.max_memory_bytes = ~uint64_t{0};
  ChildProcess host;
  ASSERT_EQ(host.Start(plan), 0);
  int64_t compiler = 0;
  while (compiler == 0) {
    compiler = PidWritten(folder->path());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ASSERT_FALSE(IsGone(compiler));
  kill(host.pid(), SIGKILL);  // it alone, not its group
  waitpid(host.pid(), nullptr, 0);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!IsGone(compiler) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(IsGone(compiler));
}
#endif

TEST(CudaCompiler, NvrtcBuildsACubinAndSaysWhatItDislikes) {
  const auto compiler = CudaCompiler::Find({}, 90);
  if (!compiler.ok()) GTEST_SKIP() << compiler.status().message();
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  const auto module = LowerText(R"((module (func (export "run") (result i32) i32.const 42)))");
  KernelSource source = *EmitKernel(*module, options);
  const auto cubin = compiler->Build(source);
  ASSERT_TRUE(cubin.ok()) << cubin.status().ToString();
  const auto kernels = SplitKernels(*cubin);
  ASSERT_TRUE(kernels.ok());
  ASSERT_EQ(kernels->size(), compiler->has_two_kernels() ? 2u : 1u);
  for (const ByteView kernel : *kernels) EXPECT_EQ(AsText(kernel).substr(1, 3), "ELF");
  EXPECT_NE(compiler->target().find("sm_90"), std::string::npos);
  if (compiler->quick_text_below() > 0) {
    const auto quick = compiler->Build(source, Effort::kQuick);
    ASSERT_TRUE(quick.ok()) << quick.status().ToString();
    EXPECT_EQ(AsText(*quick).substr(1, 3), "ELF");
    EXPECT_NE(AsText(*quick).find("wb_entry"), std::string::npos);
    EXPECT_NE(AsText(*quick).find("wb_module_call"), std::string::npos);
  }
  source.text += "\nint broken(";
  const auto failed = compiler->Build(source);
  EXPECT_EQ(failed.status().reason(), Reason::kCompileFailed);
  EXPECT_NE(failed.status().message().find("wasmburst/entry.metal("), std::string::npos);
}

// The functions call later ones on 10^12 paths, more than the linker can walk, and it walks all
// that it is shown: 64 (nvrtc/fewer_calls.h). Those with an even number stand first and so in
// another chunk than those with an odd one, which they call, so NVRTC does not inline any.
std::string ModuleOfManyPaths() {
  constexpr int kFunctions = 64;
  std::string text = "(module (global $g (mut i32) (i32.const 0))\n";
  for (int at = 0; at < kFunctions; ++at) {
    const int i = at < kFunctions / 2 ? 2 * at : 2 * at - kFunctions + 1;
    text += "(func $f" + std::to_string(i) + (i == 0 ? " (export \"run\")" : "");
    text +=
        " (param i32) (result i32)\n  (global.set $g (i32.add (global.get $g) (i32.const 1)))\n";
    for (int callee = i + 1; callee <= i + 5 && callee < kFunctions; callee += 2) {
      text += "  (if (i32.and (local.get 0) (i32.const " + std::to_string(callee) + "))\n";
      text += "    (then (local.set 0 (call $f" + std::to_string(callee) + " (local.get 0)))))\n";
    }
    text += "  (local.get 0))\n";
  }
  return text + ")";
}

TEST(CudaCompiler, NvJitLinkMakesOneCubinOfChunksOfManyPaths) {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  const auto module = LowerText(ModuleOfManyPaths());
  const KernelSource source = *EmitKernel(*module, options);
  NvrtcSettings settings;
  settings.chunk_bytes = source.text.size() / 3;
  settings.processors = 2 * ChunkBuilds::MostOfFew();  // NVRTC takes the flag for it
  ASSERT_EQ(ChunksOf(source.text, settings.chunk_bytes).size(), 2u);
  const auto compiler = CudaCompiler::Find(settings, 90);
  if (!compiler.ok()) GTEST_SKIP() << compiler.status().message();
  if (compiler->target().find("nvjitlink-") == std::string::npos) {
    GTEST_SKIP() << "There is NVRTC, but no nvJitLink of its version.";
  }
  for (const Effort effort : {Effort::kFull, Effort::kQuick}) {
    const auto cubin = compiler->Build(source, effort);
    ASSERT_TRUE(cubin.ok()) << cubin.status().ToString();
    EXPECT_EQ(SplitCubins(*cubin)->size(), 1u);
    EXPECT_EQ(AsText(*cubin).substr(1, 3), "ELF");
    EXPECT_NE(std::string(cubin->begin(), cubin->end()).find("wb_entry"), std::string::npos);
  }
}

TEST(CudaCompiler, NvJitLinkMakesKernelsOfChunksThatColdCallsCross) {
  CompileOptions options;
  options.layout = MemoryLayout::kInterleaved;
  const KernelSource source = *EmitKernel(*LowerText(ManyFunctionsModule(16, 130)), options);
  NvrtcSettings settings;
  settings.processors = 8;
  const auto compiler = CudaCompiler::Find(settings, 90);
  if (!compiler.ok()) GTEST_SKIP() << compiler.status().message();
  if (compiler->target().find(" cold-") == std::string::npos) {
    GTEST_SKIP() << "There is NVRTC, but no nvJitLink of its version.";
  }
  const auto binary = compiler->Build(source);
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  const auto kernels = SplitKernels(*binary);
  ASSERT_EQ(kernels->size(), 2u);
  for (const ByteView kernel : *kernels) {
    EXPECT_EQ(SplitCubins(kernel)->size(), 1u);
    // Of a whole text no function is known by its own name alone.
    EXPECT_NE(AsText(kernel).find("_Z4wf_"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace wb::test
