// Kernel texts as they were when they were last read. `wb_golden_tests --update` writes
// them anew; read the difference before it is committed.

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

#include "tests/compiler/runtime/nvrtc.h"
#include "tests/golden/golden_module.h"
#ifdef WB_HAVE_CHECK
#include "compiler/check/checker.h"
#endif

namespace wb::test {
namespace {

bool update = false;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The lines between what both have in common at the start and at the end.
std::string Diff(const std::string& expected, const std::string& actual) {
  const auto old_lines = Lines(expected), new_lines = Lines(actual);
  const size_t shorter = std::min(old_lines.size(), new_lines.size());
  size_t same = 0, tail = 0;
  while (same < shorter && old_lines[same] == new_lines[same]) ++same;
  while (tail < shorter - same &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) {
    ++tail;
  }
  std::string text = "from line " + std::to_string(same + 1) + " on:\n";
  for (size_t i = same; i + tail < old_lines.size(); ++i) text += "- " + old_lines[i] + "\n";
  for (size_t i = same; i + tail < new_lines.size(); ++i) text += "+ " + new_lines[i] + "\n";
  return text;
}

class GoldenTest : public ::testing::TestWithParam<std::string> {};

void ExpectAsItWas(const std::string& path, const std::string& actual) {
  if (update) std::ofstream(path) << actual;
  std::ifstream file(path);
  const std::string expected(std::istreambuf_iterator<char>(file), {});
  EXPECT_TRUE(expected == actual) << path << " differs " << Diff(expected, actual)
                                  << "If that is meant: wb_golden_tests --update";
}

TEST_P(GoldenTest, TextIsAsItWas) {
  ExpectAsItWas(GoldenPath(GetParam(), ".expected.metal"),
                OwnPart(GoldenText(GetParam(), MemoryLayout::kContiguous)));
}

// The layouts differ in one number and one file of the runtime; a module's functions know nothing.
// But for those that call only themselves, which are loops where lanes are interleaved.
TEST_P(GoldenTest, LayoutsDifferInOneConstant) {
  std::string text = OwnPart(GoldenText(GetParam(), MemoryLayout::kInterleaved));
  const std::string stride = "WB_STRIDE = 32u";
  const size_t at = text.find(stride);
  ASSERT_NE(at, std::string::npos);
  const bool is_other = text.find("wb_unwind_self(L, R.w") != std::string::npos ||
                        text.find(" = r == 0u ? wf_") != std::string::npos;
  if (is_other) {
    ExpectAsItWas(GoldenPath(GetParam(), ".interleaved.metal"), text);
    return;
  }
  text.replace(at, stride.size(), "WB_STRIDE = 1u");
  EXPECT_EQ(text, OwnPart(GoldenText(GetParam(), MemoryLayout::kContiguous)));
}

TEST_P(GoldenTest, FloatsAreTheRuntimesAffair) {
  EXPECT_EQ(OwnPart(GoldenText(GetParam(), MemoryLayout::kContiguous, Floats::kMetal)),
            OwnPart(GoldenText(GetParam(), MemoryLayout::kContiguous, Floats::kNative)));
}

TEST_P(GoldenTest, TextIsInTheSubset) {
#ifdef WB_HAVE_CHECK
  const auto check = [](const std::string& text, std::string_view form) {
    for (const Violation& violation : CheckKernelText(text)) {
      ADD_FAILURE() << form << " " << violation.line << ":" << violation.column << ": "
                    << violation.message;
    }
  };
  // What a CPU, an NVIDIA GPU and a Mac get.
  check(GoldenText(GetParam(), MemoryLayout::kContiguous), "cpu");
  check(GoldenText(GetParam(), MemoryLayout::kInterleaved), "cuda");
  check(GoldenText(GetParam(), MemoryLayout::kInterleaved, Floats::kMetal), "metal");
  check(GoldenText(GetParam(), MemoryLayout::kInterleaved, Floats::kFast32), "fast32");
  CompileOptions options;
  options.flattening = Flattening::kAlways;
  check(GoldenText(GetParam(), options), "flattened");
  options.flattening = Flattening::kMixed;
  check(GoldenText(GetParam(), options), "flattened here and there");
#else
  GTEST_SKIP() << "The subset checker was not built.";
#endif
}

TEST_P(GoldenTest, NvrtcMakesCodeOfIt) {
  const Nvrtc nvrtc;
  if (!nvrtc.here()) GTEST_SKIP() << "There is no libnvrtc.so on this machine.";
  size_t cubin_bytes = 0;
  EXPECT_EQ(nvrtc.Compile(GoldenText(GetParam(), MemoryLayout::kInterleaved), &cubin_bytes), "");
  EXPECT_GT(cubin_bytes, 1000u);
}

TEST_P(GoldenTest, NvrtcMakesCodeOfItWithMetalFloats) {
  const Nvrtc nvrtc;
  if (!nvrtc.here()) GTEST_SKIP() << "There is no libnvrtc.so on this machine.";
  const std::string text = GoldenText(GetParam(), MemoryLayout::kInterleaved, Floats::kMetal);
  size_t cubin_bytes = 0;
  EXPECT_EQ(nvrtc.Compile(text, &cubin_bytes, {"-ftz=true"}), "");
  EXPECT_GT(cubin_bytes, 1000u);
}

INSTANTIATE_TEST_SUITE_P(All, GoldenTest, ::testing::ValuesIn(GoldenNames()),
                         [](const auto& item) { return item.param; });

// What a Mac gets of every golden module, as NAME.metal in a folder.
int WriteTexts(const std::string& folder) {
  for (const std::string& name : GoldenNames()) {
    for (const Floats floats : {Floats::kMetal, Floats::kFast32}) {
      const std::string path =
          folder + "/" + name + (floats == Floats::kMetal ? "" : "-fast32") + ".metal";
      std::ofstream file(path);
      file << GoldenText(name, MemoryLayout::kInterleaved, floats);
      if (!file.flush()) {
        std::cerr << "The text [" << path << "] cannot be written.\n";
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace wb::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  wb::test::update = argc > 1 && std::strcmp(argv[1], "--update") == 0;
  if (argc > 2 && std::strcmp(argv[1], "--texts") == 0) return wb::test::WriteTexts(argv[2]);
  return RUN_ALL_TESTS();
}
