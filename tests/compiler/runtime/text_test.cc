// The embedded texts, and whole kernel texts through every compiler that is here.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/runtime/pruned_text.h"
#include "compiler/runtime/runtime.h"
#include "tests/compiler/runtime/nvrtc.h"
#include "tests/compiler/runtime/whole_text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

std::string Whole(const std::string& layout, const std::string& floats = "native") {
  return WholeText(layout, floats, WB_TEST_KERNELS "/tiny_module.metal");
}

// The layouts, and floats. NVRTC's test has the tiled layout with other floats.
struct TextForm {
  std::string layout;
  std::string floats;
};
std::vector<TextForm> Forms() {
  std::vector<TextForm> forms = {{"tiled", "native"}};
  for (const char* layout : {"contiguous", "interleaved"}) {
    for (const char* floats : {"native", "metal", "fast32"}) forms.push_back({layout, floats});
  }
  return forms;
}
constexpr const char* kLayouts[] = {"contiguous", "interleaved", "tiled"};

TEST(RuntimeTextTest, OfTheInterleavedTextTheTiledOneIsMade) {
  EXPECT_EQ(TiledText(Whole("interleaved")), Whole("tiled"));
  EXPECT_NE(Whole("interleaved"), Whole("tiled"));
  EXPECT_EQ(TiledText(Whole("contiguous")), Whole("contiguous"));
}

TEST(RuntimeTextTest, NumbersAreConstants) {
  const std::string text = ConstantsText();
  for (const char* line :
       {"constant uint WB_LANE_FUEL_LO = 0u;", "constant uint WB_NONE = 4294967295u;",
        "constant uint WB_TRAP_DIVIDE_BY_ZERO = 3u;", "constant uint WB_END_OUT_OF_FUEL = 3u;"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

// A launch's parameters are copied as they lie: field i of the kernel's struct is word i.
TEST(RuntimeTextTest, LaunchParametersStandInTheOrderOfTheHostsStruct) {
  std::istringstream lines(ParamsText());
  std::string line;
  while (std::getline(lines, line) && line != "struct WbParams {") {
  }
  const auto expect = [&](const char* name, size_t offset, uint32_t word) {
    std::getline(lines, line);
    EXPECT_EQ(line, "  uint " + std::string(name) + ";");
    EXPECT_EQ(offset, word * sizeof(uint32_t)) << name;
  };
#define WB_PARAM(name, initial, meaning) \
  expect(#name, offsetof(abi::Params, name), abi::ParamWords::name);
#include "compiler/abi/params.def"
#undef WB_PARAM
  std::getline(lines, line);
  EXPECT_EQ(line, "};");
}

TEST(RuntimeTextTest, TheTextHasNoPreprocessorChoices) {
  for (const TextForm& form : Forms()) {
    const std::string text = Whole(form.layout, form.floats);
    for (const char* word : {"#if", "#define", "double "}) {
      EXPECT_EQ(text.find(word), std::string::npos)
          << word << " in the " << form.layout << " text with " << form.floats << " floats";
    }
  }
}

TEST(RuntimeTextTest, MetalFloatsUseNothingOfThePreludesOwn) {
  for (std::string_view part : MetalFloatParts()) {
    EXPECT_EQ(RuntimeText(part).find("wb_native"), std::string_view::npos) << part;
  }
}

TEST(RuntimeTextTest, PreludesAreThere) {
  for (const char* name : {"host/metal_stdlib", "cuda/metal_stdlib", "check/metal_stdlib"}) {
    EXPECT_NE(PreludeText(name).find("as_type"), std::string_view::npos) << name;
  }
  EXPECT_NE(CudaEpilogue(false).find("wb_entry"), std::string::npos);
  EXPECT_NE(CudaEpilogue(true).find("wb_resident"), std::string::npos);
  EXPECT_EQ(RuntimeDigest(), RuntimeDigest());
}

// A folder of its own with the host prelude and both texts.
class CompilerTest : public ::testing::TestWithParam<const char*> {
 protected:
  CompilerTest() {
    std::string name = (fs::temp_directory_path() / "wb_text_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    Write("metal_stdlib", PreludeText("host/metal_stdlib"));
  }
  ~CompilerTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ / name) << text;
  }
  static bool Have(const std::string& compiler) {
    return std::system(("command -v " + compiler + " >/dev/null 2>&1").c_str()) == 0;
  }
  // Empty if it compiles without a warning, else what the compiler said.
  std::string Compile(const std::string& compiler, const std::string& standard,
                      const std::string& layout, const std::string& floats) {
    Write("kernel.metal", Whole(layout, floats));
    return Run(compiler, standard);
  }
  std::string Run(const std::string& compiler, const std::string& standard) {
    const std::string log = (folder_ / "log").string();
    const std::string command =
        compiler + " -x c++ -std=" + standard +
        " -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas -ffp-contract=off -shared -fPIC -I" +
        folder_.string() + " -o " + (folder_ / "kernel.so").string() + " " +
        (folder_ / "kernel.metal").string() + " >" + log + " 2>&1";
    if (std::system(command.c_str()) == 0) return "";
    std::ifstream file(log);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  fs::path folder_;
};

TEST_P(CompilerTest, CompilesWithoutAWarning) {
  if (!Have(GetParam())) GTEST_SKIP() << "There is no [" << GetParam() << "] on this machine.";
  for (const TextForm& form : Forms()) {
    for (const char* standard : {"c++17", "c++20"}) {
      EXPECT_EQ(Compile(GetParam(), standard, form.layout, form.floats), "")
          << form.layout << " " << standard;
    }
  }
}

// What the CPU device compiles: the kernel is in the device, and the binary has wb_call alone.
TEST_P(CompilerTest, CompilesWithoutTheKernel) {
  if (!Have(GetParam())) GTEST_SKIP() << "There is no [" << GetParam() << "] on this machine.";
  for (const char* layout : kLayouts) {
    const std::string whole = Whole(layout, "native");
    const std::string text = TextWithoutKernel(whole);
    EXPECT_LT(text.size() + 20'000, whole.size());
    EXPECT_EQ(text.find("wb_main"), std::string::npos);
    EXPECT_NE(text.find("wb_module_call"), std::string::npos);
    Write("kernel.metal", text);
    EXPECT_EQ(
        Run(GetParam() + std::string(" -Wno-unused-function -Wno-unused-const-variable"), "c++17"),
        "")
        << layout;
  }
  EXPECT_EQ(TextWithoutKernel("no kernel\n"), "no kernel\n");
}

// With warnings of functions and constants that nothing uses.
TEST_P(CompilerTest, PrunedItHasNothingThatIsNotUsed) {
  if (!Have(GetParam())) GTEST_SKIP() << "There is no [" << GetParam() << "] on this machine.";
  for (const TextForm& form : Forms()) {
    const std::string text = TextWithoutKernel(Whole(form.layout, form.floats));
    const std::string pruned = PrunedText(text);
    EXPECT_LT(pruned.size(), text.size() / 2);
    Write("kernel.metal", pruned);
    EXPECT_EQ(Run(GetParam(), "c++17"), "") << form.layout << " " << form.floats;
  }
}

// Lines are counted from the #line before each part, so a message says which file it is about.
TEST_P(CompilerTest, AMessageNamesTheFileAndItsLine) {
  if (!Have(GetParam())) GTEST_SKIP() << "There is no [" << GetParam() << "] on this machine.";
  Write("kernel.metal", OpeningText({}, "constant uint WB_GLOBALS_AT = no_such_name;\n") +
                            "\nstatic uint wf_0() { return wb_no_such_function(); }\n" +
                            PartText("entry.metal"));
  const std::string log = Run(GetParam(), "c++20");
  EXPECT_NE(log.find("module:2:"), std::string::npos) << log.substr(0, 1000);
  EXPECT_NE(log.find("wasmburst/constants:"), std::string::npos) << log.substr(0, 1000);
  EXPECT_NE(log.find("wasmburst/entry.metal:"), std::string::npos) << log.substr(0, 1000);
}

std::string NameOf(const ::testing::TestParamInfo<const char*>& info) {
  return info.param[0] == 'c' ? "clang" : "gnu";
}
INSTANTIATE_TEST_SUITE_P(All, CompilerTest, ::testing::Values("clang++", "g++"), NameOf);

TEST(NvrtcTest, CompilesTheTexts) {
  const Nvrtc nvrtc;
  if (!nvrtc.here()) GTEST_SKIP() << "There is no libnvrtc.so on this machine.";
  for (const char* layout : kLayouts) {
    size_t cubin_bytes = 0;
    EXPECT_EQ(nvrtc.Compile(Whole(layout), &cubin_bytes), "");
    EXPECT_GT(cubin_bytes, 1000u);
    EXPECT_EQ(nvrtc.Compile(Whole(layout, "metal"), &cubin_bytes, {"-ftz=true"}), "");
    EXPECT_GT(cubin_bytes, 1000u);
    EXPECT_EQ(nvrtc.Compile(Whole(layout), &cubin_bytes, {}, true), "");
    EXPECT_GT(cubin_bytes, 1000u);
  }
}

}  // namespace
}  // namespace wb
