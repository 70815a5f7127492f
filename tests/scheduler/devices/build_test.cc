// Build and Load: what the compiler's process may do, and what its failures become.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "compiler/emit/chunks.h"
#include "scheduler/devices/cpu/cpu_device.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr const char* kAny = R"((module (func (export "run") (result i32) i32.const 42)))";

Result<Bytes> BuildText(Device& device, const std::string& text) {
  KernelSource source;
  source.text = text;
  return device.Build(*LowerText(kAny), source);
}

// By the device's compiler, never by way of what another process built.
PipelineRef BuildAnew(Device& device, const std::shared_ptr<const LoweredModule>& module) {
  const KernelSource source = EmitKernel(*module, device.info().options).value();
  return device.Load(module, device.Build(*module, source).value()).value();
}

TEST(Build, GarbageIsCompileFailedWithTheCompilersWords) {
  const Status status = BuildText(Cpu(), "kernel void ( this is no kernel").status();
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("error:"), std::string::npos) << status.message();
}

TEST(Build, TextThatTakesTooLongIsStopped) {
  CpuSettings settings;
  settings.compile.max_time = std::chrono::milliseconds(300);
  const auto device = CreateCpuDevice(settings);
  ASSERT_TRUE(device.ok());
  std::string text = "#define A0 ;\n";  // A50 is 2^50 empty declarations
  for (int i = 1; i <= 50; ++i) {
    const std::string below = "A" + std::to_string(i - 1);
    text += "#define A" + std::to_string(i) + " " + below + " " + below + "\n";
  }
  text += "A50\n";
  const Status status = BuildText(**device, text).status();
  EXPECT_EQ(status.reason(), Reason::kCompileTimeout) << status.ToString();
}

TEST(Build, AQuickBuildIsAnotherBinaryOfTheSameMeaning) {
  Work work;
  work.module = LowerText(ManyFunctionsModule(150, 100));
  work.steps = {Call("run", {ColumnArg(0)})};
  work.columns = {{}};
  for (uint32_t lane = 0; lane < work.lanes; ++lane) work.columns[0].push_back(lane * 977);
  const KernelSource source = *EmitKernel(*work.module, Cpu().info().options);
  EXPECT_GT(source.text.size(), Cpu().info().quick_text_from);
  const Bytes quick = *Cpu().Build(*work.module, source, Effort::kQuick);
  const auto dispatch = Seat(Cpu(), *Cpu().Load(work.module, quick), work);
  RunToEnd(Cpu(), *dispatch, {2000, 5, 100});
  const std::vector<uint32_t> records(dispatch->records().begin(), dispatch->records().end());
  EXPECT_EQ(records, Records(Interpreter(), work));
  EXPECT_EQ(RecordOf(records, work.Shape(), 32).end, static_cast<uint32_t>(End::kReturned));
}

// Cut as often as can be: calls, tables, constants and the entry lie in different objects.
TEST(Build, ATextInChunksIsTheSameKernel) {
  CpuSettings settings;
  settings.chunk_bytes = 1;
  const auto device = CreateCpuDevice(settings);
  ASSERT_TRUE(device.ok()) << device.status().ToString();
  Work work;
  work.module = LowerText(ManyFunctionsModule(150, 100));
  work.steps = {Call("run", {ColumnArg(0)})};
  work.columns = {{}};
  for (uint32_t lane = 0; lane < work.lanes; ++lane) work.columns[0].push_back(lane * 977);
  const KernelSource source = *EmitKernel(*work.module, (*device)->info().options);
  EXPECT_GT(ChunksOf(source.text, 1).size(), 5u);
  for (const Effort effort : {Effort::kFull, Effort::kQuick}) {
    const auto binary = (*device)->Build(*work.module, source, effort);
    ASSERT_TRUE(binary.ok()) << binary.status().ToString();
    const auto dispatch = Seat(**device, *(*device)->Load(work.module, *binary), work);
    RunToEnd(**device, *dispatch, {2000, 5, 100});
    const std::vector<uint32_t> records(dispatch->records().begin(), dispatch->records().end());
    EXPECT_EQ(records, Records(Interpreter(), work));
  }
}

TEST(Build, AChunkThatDoesNotCompileIsNamedAndEndsTheOthers) {
  CpuSettings settings;
  settings.chunk_bytes = 1;
  const auto device = CreateCpuDevice(settings);
  ASSERT_TRUE(device.ok());
  std::string text;
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(i);
    text +=
        "static WbR_i wf_" + number + "() {\n" + (i == 13 ? "  return nonsense;\n" : "") + "}\n";
  }
  const Status status = BuildText(**device, "struct WbR_i { int w; };\n" + text).status();
  EXPECT_EQ(status.reason(), Reason::kCompileFailed);
  EXPECT_NE(status.message().find("nonsense"), std::string::npos) << status.message();
}

TEST(Build, LeavesNothingBehind) {
  const auto parent =
      std::filesystem::temp_directory_path() / ("wasmburst-build-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(parent);
  CpuSettings settings;
  settings.work_directory = parent.string();
  const auto device = CreateCpuDevice(settings);
  ASSERT_TRUE(device.ok());
  EXPECT_FALSE(BuildText(**device, "garbage").ok());
  BuildAnew(**device, LowerText(kAny));
  EXPECT_TRUE(std::filesystem::is_empty(parent));
  std::filesystem::remove_all(parent);
}

TEST(Build, AMissingCompilerIsNamed) {
  CpuSettings settings;
  settings.compiler_path = "/nonexistent/clang++";
  EXPECT_EQ(CreateCpuDevice(settings).status().reason(), Reason::kConfigInvalid);
  settings.compiler_path = "no-such-compiler-anywhere";
  EXPECT_EQ(CreateCpuDevice(settings).status().reason(), Reason::kConfigInvalid);
  settings.compiler_path = "/bin/false";
  EXPECT_EQ(CreateCpuDevice(settings).status().reason(), Reason::kConfigInvalid);
}

TEST(Build, AWorkFolderThatIsNotThereIsAnError) {
  CpuSettings settings;
  settings.work_directory = "/nonexistent/folder";
  EXPECT_EQ(CreateCpuDevice(settings).status().reason(), Reason::kIoError);
}

TEST(Build, TheTargetNamesCompilerAndInstructionSet) {
  EXPECT_NE(Cpu().info().target.find("version"), std::string::npos) << Cpu().info().target;
  EXPECT_NE(Cpu().info().target, Interpreter().info().target);
  CpuSettings settings;
  settings.compiler_path = "g++";
  const auto device = CreateCpuDevice(settings);
  if (device.ok()) {
    EXPECT_NE((*device)->info().target, Cpu().info().target);
  }
}

TEST(Build, GppCompilesTheSameKernels) {
  CpuSettings settings;
  settings.compiler_path = "g++";
  const auto device = CreateCpuDevice(settings);
  if (!device.ok()) GTEST_SKIP() << "There is no g++ here.";
  Work work;
  work.module = LowerText(R"((module (func (export "run") (param f64) (result f64 i32)
    local.get 0 f64.const 3 f64.div f64.floor
    local.get 0 f64.nearest i32.trunc_sat_f64_s i32.popcnt)))");
  CallStep call = Call("run", {});
  call.args.resize(1);
  call.args[0].value = Value::F64(1234567.5);
  work.steps = {call};
  const auto dispatch = Seat(**device, BuildAnew(**device, work.module), work);
  RunToEnd(**device, *dispatch);
  const std::vector<uint32_t> got(dispatch->records().begin(), dispatch->records().end());
  EXPECT_EQ(got, Records(Cpu(), work));
}

TEST(Load, BytesThatAreNoObjectAreRefused) {
  const Bytes bytes = {1, 2, 3};
  EXPECT_EQ(Cpu().Load(LowerText(kAny), bytes).status().reason(), Reason::kCompileFailed);
  const Result<Bytes> other = BuildText(Cpu(), "extern \"C\" int something_else() { return 1; }");
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(Cpu().Load(LowerText(kAny), *other).status().reason(), Reason::kCompileFailed);
}

// glibc knows objects by path; two loaded kernels must stay two.
TEST(Load, ManyKernelsLiveSideBySide) {
  std::vector<Work> works;
  std::vector<PipelineRef> pipelines;
  for (int i = 0; i < 3; ++i) {
    Work work;
    work.module = LowerText("(module (func (export \"run\") (result i32) i32.const " +
                            std::to_string(100 + i) + "))");
    work.steps = {Call("run")};
    pipelines.push_back(BuildOn(Cpu(), work.module));
    works.push_back(work);
    if (i == 1) pipelines[0] = BuildOn(Cpu(), works[0].module);
  }
  for (uint32_t i = 0; i < 3; ++i) {
    const auto dispatch = Seat(Cpu(), pipelines[i], works[i]);
    RunToEnd(Cpu(), *dispatch);
    EXPECT_EQ(dispatch->records()[abi::RECORD_REGISTERS], 100 + i);
  }
}

}  // namespace
}  // namespace wb::test
