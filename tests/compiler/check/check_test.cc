// The checker on one file per violation (bad-*.metal: the line that must be reported carries
// `// expect: words of the message`), on what is allowed, and on whole kernel texts.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/check/checker.h"
#include "tests/compiler/runtime/whole_text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

std::string ReadText(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string ToString(const std::vector<Violation>& violations) {
  std::ostringstream text;
  for (const Violation& violation : violations) {
    text << violation.line << ":" << violation.column << ": " << violation.message << "\n";
  }
  return text.str();
}

std::vector<fs::path> BadFiles() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(WB_CHECK_CASES)) {
    if (entry.path().filename().string().starts_with("bad-")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// What a file expects: a line (0: the text as a whole) and words of the message.
Violation Expectation(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    for (const auto& [mark, at] : {std::pair(std::string("// expect: "), number),
                                   std::pair(std::string("// expect-text: "), 0u)}) {
      const size_t found = line.find(mark);
      if (found != std::string::npos) return {at, 0, line.substr(found + mark.size())};
    }
  }
  return {};
}

class BadTextTest : public ::testing::TestWithParam<fs::path> {};

TEST_P(BadTextTest, IsReportedWhereItIs) {
  const std::string text = ReadText(GetParam());
  const Violation expected = Expectation(text);
  ASSERT_FALSE(expected.message.empty()) << "the file says nothing about what to expect";
  const std::vector<Violation> violations = CheckKernelText(text);
  EXPECT_TRUE(std::any_of(violations.begin(), violations.end(),
                          [&](const Violation& violation) {
                            return violation.line == expected.line &&
                                   violation.message.find(expected.message) != std::string::npos;
                          }))
      << "line " << expected.line << " is not reported with [" << expected.message << "] but:\n"
      << ToString(violations);
}

std::string NameOf(const ::testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.stem().string().substr(4);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Files, BadTextTest, ::testing::ValuesIn(BadFiles()), NameOf);

TEST(GoodTextTest, WhatTheSubsetAllowsIsAccepted) {
  EXPECT_EQ(ToString(CheckKernelText(ReadText(fs::path(WB_CHECK_CASES) / "good.metal"))), "");
}

// A text's #line is for compilers; a finding has the line of the text itself.
TEST(LineTest, AFindingIsCountedFromTheTextsFirstLine) {
  const auto violations = CheckKernelText(
      "#include <metal_stdlib>\n#line 1 \"module\"\nstatic uint wf_1(uint x) {\n  goto end;\n"
      "end:\n  return x;\n}\n");
  ASSERT_FALSE(violations.empty());
  EXPECT_EQ(violations.front().line, 4u);
}

TEST(GoodTextTest, WholeKernelTextsAreAccepted) {
  for (const char* layout : {"contiguous", "interleaved"}) {
    for (const char* floats : {"native", "metal", "fast32"}) {
      const std::string text = WholeText(layout, floats, WB_TINY_MODULE);
      EXPECT_EQ(ToString(CheckKernelText(text)), "") << layout << " " << floats;
    }
  }
  EXPECT_EQ(ToString(CheckKernelText(WholeText("tiled", "native", WB_TINY_MODULE))), "");
}

// Too long for files: pipelines of such functions never ended on a Mac.
std::string LongFunction(size_t statements, const std::string& statement) {
  std::string text = "#include <metal_stdlib>\nstatic uint wf_1(uint x) {\n";
  for (size_t i = 0; i < statements; ++i) text += statement;
  return text + "return x; }\n";
}
TEST(LongTextTest, AFunctionOfAMebibyteIsReported) {
  const std::string line = "x = x + 1234567890u * x;\n";
  EXPECT_EQ(ToString(CheckKernelText(LongFunction(20000, line))), "");
  EXPECT_NE(ToString(CheckKernelText(LongFunction(50000, line))).find("more than 1 MiB"),
            std::string::npos);
}
TEST(LongTextTest, AFunctionOfManyVariablesIsReported) {
  const std::string line = "{uint y=x;}";
  EXPECT_EQ(ToString(CheckKernelText(LongFunction(60000, line))), "");
  EXPECT_NE(ToString(CheckKernelText(LongFunction(70000, line))).find("65536 variables"),
            std::string::npos);
}

TEST(GoodTextTest, AnEmptyTextIsInTheSubset) { EXPECT_EQ(ToString(CheckKernelText("")), ""); }

}  // namespace
}  // namespace wb
