// wasmburst-clang against the clang++ of the same version: objects, messages, links.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/runtime/runtime.h"
#include "scheduler/devices/compile/compile_process.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/cpu/cpu_compiler.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

constexpr const char* kSystemClang = "/usr/bin/clang++-14";

class ClangProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (access(WB_CLANG_PROGRAM, X_OK) != 0) GTEST_SKIP() << "wasmburst-clang is not built";
    auto folder = PrivateFolder::Create("");
    ASSERT_TRUE(folder.ok());
    folder_.emplace(std::move(folder).value());
    ASSERT_TRUE(folder_->Write("metal_stdlib", PreludeText("host/metal_stdlib")).ok());
  }

  ChildReport Run(std::vector<std::string> argv) const {
    return *RunChild(argv, folder_->path(), ChildLimits());
  }
  // The object that a program makes of kernel.metal; empty where it does not.
  Bytes Object(const std::string& program, const std::vector<std::string>& flags) const {
    std::vector<std::string> argv = {program};
    argv.insert(argv.end(), flags.begin(), flags.end());
    argv.insert(argv.end(), {"-std=c++17", "-fPIC", "-w", "-I.", "-c", "-x", "c++", "kernel.metal",
                             "-o", "object.o"});
    const ChildReport report = Run(argv);
    if (report.exit_code != 0 || report.signal != 0) return {};
    return *folder_->Read("object.o");
  }
  static std::string TextOf(const std::string& wat) {
    return TextWithoutKernel((*EmitKernel(*LowerText(wat), {})).text);
  }

  std::optional<PrivateFolder> folder_;
};

constexpr const char* kLoop = R"((module (func (export "run") (param i32) (result i64)
  (local i64)
  (loop (local.set 1 (i64.add (i64.mul (local.get 1) (i64.const 31)) (i64.extend_i32_u (local.get 0))))
        (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
  (local.get 1))))";

// PATH is another one for a while.
class PathFor {
 public:
  explicit PathFor(const std::string& path) { setenv("PATH", path.c_str(), 1); }
  ~PathFor() { setenv("PATH", before_.c_str(), 1); }
  PathFor(const PathFor&) = delete;
  PathFor& operator=(const PathFor&) = delete;

 private:
  const std::string before_ = std::getenv("PATH");
};

TEST_F(ClangProgramTest, WithoutALinkerTheDeviceSaysWhatItLacks) {
  const PathFor none(folder_->path());
  const auto found = CpuCompiler::Find(WB_CLANG_PROGRAM, folder_->path(), ChildLimits());
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.status().reason(), Reason::kConfigInvalid);
  EXPECT_NE(found.status().message().find("There is no linker in PATH (ld"), std::string::npos)
      << found.status().message();
}

TEST_F(ClangProgramTest, LldLinksWhereThereIsNoOther) {
  if (!DetectIsa().name.starts_with("x86-64-v")) GTEST_SKIP() << "the compiler links here";
  if (access("/usr/bin/ld.lld", X_OK) != 0) GTEST_SKIP() << "lld is not installed";
  ASSERT_EQ(symlink("/usr/bin/ld.lld", (folder_->path() + "/ld.lld").c_str()), 0);
  const PathFor lld_alone(folder_->path());
  const auto found = CpuCompiler::Find(WB_CLANG_PROGRAM, "", ChildLimits());
  ASSERT_TRUE(found.ok()) << found.status().message();
  KernelSource source;
  source.text = TextOf(kLoop);
  EXPECT_TRUE(found->Build(source).ok());
}

TEST_F(ClangProgramTest, ObjectsAreThoseOfTheSameClang) {
  if (access(kSystemClang, X_OK) != 0) GTEST_SKIP() << "There is no [" << kSystemClang << "].";
  ASSERT_TRUE(folder_->Write("kernel.metal", TextOf(kLoop)).ok());
  for (const std::vector<std::string>& flags : std::vector<std::vector<std::string>>{
           {"-O0"}, {"-O2", "-ffp-contract=off", "-fno-math-errno"}, {"-O2", "-march=x86-64-v3"}}) {
    const Bytes ours = Object(WB_CLANG_PROGRAM, flags);
    EXPECT_FALSE(ours.empty()) << flags[0];
    EXPECT_EQ(ours, Object(kSystemClang, flags)) << flags[0];
  }
}

TEST_F(ClangProgramTest, ItNamesItsVersionAndSaysWhatItDislikes) {
  const ChildReport version = Run({WB_CLANG_PROGRAM, "--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_NE(version.message.find("clang version "), std::string::npos) << version.message;
  ASSERT_TRUE(folder_->Write("kernel.metal", "int broken(").ok());
  const ChildReport broken =
      Run({WB_CLANG_PROGRAM, "-c", "-x", "c++", "kernel.metal", "-o", "a.o"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.message.find("kernel.metal:1:12: error:"), std::string::npos) << broken.message;
  const ChildReport flag = Run({WB_CLANG_PROGRAM, "--no-such-flag", "-c", "kernel.metal"});
  EXPECT_NE(flag.exit_code, 0);
  EXPECT_NE(flag.message.find("--no-such-flag"), std::string::npos) << flag.message;
}

// Where the CPU device has no linker of its own, its compiler links.
TEST_F(ClangProgramTest, ItLinksWithTheSystemsLinker) {
  ASSERT_TRUE(folder_->Write("kernel.metal", TextOf(kLoop)).ok());
  ASSERT_FALSE(Object(WB_CLANG_PROGRAM, {"-O1"}).empty());
  const ChildReport linked =
      Run({WB_CLANG_PROGRAM, "-shared", "-nostdlib", "object.o", "-o", "kernel.so"});
  EXPECT_EQ(linked.exit_code, 0) << linked.message;
  EXPECT_FALSE(folder_->Read("kernel.so")->empty());
}

}  // namespace
}  // namespace wb::test
