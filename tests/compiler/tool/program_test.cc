// wasmburst-compile as a program: what its flags choose of a kernel text.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest() {
    std::string name = (fs::temp_directory_path() / "wb_tool_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    const Bytes module = MustAssemble("(module (func (export \"f\")))");
    std::ofstream(folder_ / "module.wasm", std::ios::binary) << AsText(module);
  }
  ~ProgramTest() override { fs::remove_all(folder_); }

  // What `wasmburst-compile WORDS FILE` prints; its exit status goes to `status`.
  std::string Run(const std::string& words, int* status) {
    const std::string command =
        std::string(WB_COMPILE_TOOL) + " " + words + " " + (folder_ / "module.wasm").string();
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    std::string output;
    char part[4096];
    while (const size_t bytes = std::fread(part, 1, sizeof part, pipe)) output.append(part, bytes);
    const int result = pclose(pipe);
    *status = WIFEXITED(result) ? WEXITSTATUS(result) : -1;
    return output;
  }

  fs::path folder_;
};

bool Has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_F(ProgramTest, PrintsTheTextOfACpuIfNothingElseIsAsked) {
  int status = 0;
  const std::string text = Run("msl", &status);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(Has(text, "wasmburst/floats/floats_native.metal"));
  EXPECT_TRUE(Has(text, "constant uint WB_STRIDE = 1u;"));
}

TEST_F(ProgramTest, PrintsTheTextOfAMac) {
  int status = 0;
  const std::string text = Run("msl --floats metal --layout interleaved", &status);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(Has(text, "wasmburst/floats/floats_metal_f32.metal"));
  EXPECT_FALSE(Has(text, "wasmburst/floats/floats_native.metal"));
  EXPECT_TRUE(Has(text, "constant uint WB_STRIDE = 32u;"));
  EXPECT_EQ(Run("msl --floats metal --interleaved", &status), text);
}

TEST_F(ProgramTest, RefusesFormsThatThereAreNot) {
  int status = 0;
  EXPECT_TRUE(Has(Run("msl --floats double", &status), "usage:"));
  EXPECT_EQ(status, 2);
  EXPECT_TRUE(Has(Run("msl --layout sideways", &status), "usage:"));
  EXPECT_EQ(status, 2);
}

}  // namespace
}  // namespace wb::test
