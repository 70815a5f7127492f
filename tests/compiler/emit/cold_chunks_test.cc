// Texts cut where cold calls alone cross.

#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "compiler/emit/chunks.h"
#include "compiler/emit/text_functions.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr const char* kRunsFirst = "static WbEnd wb_run(uint f) {\n  wf_0(f);\n}\n";

// A function of a kilobyte, with these lines in it.
std::string Kilobyte(const std::string& name, const std::string& lines) {
  return "static WbR_i " + name + "(uint f) {\n" + lines + std::string(1000, ' ') + "\n}\n";
}

// A text of so many functions, `wf_0` on, each with its lines.
std::string TextOf(const std::vector<std::string>& lines) {
  std::string declarations, functions;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string name = "wf_" + std::to_string(i);
    declarations += "static WbR_i " + name + "(uint f);\n";
    functions += Kilobyte(name, lines[i]);
  }
  return "#line 1 \"module\"\n" + declarations + functions + kRunsFirst;
}

// The chunk that defines the function; all: none does.
size_t ChunkWith(const std::vector<std::string>& chunks, const std::string& name) {
  size_t i = 0;
  while (i < chunks.size() && chunks[i].find(" " + name + "(uint f) {") == std::string::npos) ++i;
  return i;
}

TEST(ColdChunksTest, TheRestIsATextOfItsOwn) {
  const std::string text = TextOf({"  wf_1(f);\n", "", "", "", "", ""});
  const auto chunks = ColdChunksOf(text, 2000);
  ASSERT_EQ(chunks.size(), 5u);
  for (int i = 0; i < 6; ++i) EXPECT_LT(ChunkWith(chunks, "wf_" + std::to_string(i)), 4u) << i;
  EXPECT_EQ(chunks.back().find("static WbR_"), std::string::npos);
  EXPECT_NE(chunks.back().find("WbR_i wf_0(uint f);\n#line"), std::string::npos) << chunks.back();
  EXPECT_EQ(chunks.back().find("wf_1"), std::string::npos);
  EXPECT_TRUE(chunks.back().ends_with(kRunsFirst));
}

TEST(ColdChunksTest, WhatALoopCallsStaysWithIt) {
  const std::string loop = "  do {\n    while (true) {\n      if (f != 0u) { break; }\n";
  const auto chunks =
      ColdChunksOf(TextOf({"  wf_5(f);\n", loop + "      wf_4(f);\n    }\n  } while (false);\n", "",
                           "", "", ""}),
                   2000);
  ASSERT_EQ(chunks.size(), 5u);
  EXPECT_EQ(ChunkWith(chunks, "wf_1"), ChunkWith(chunks, "wf_4"));
}

// Behind its loop, and in a block, a function calls but once.
TEST(ColdChunksTest, CallsBesideALoopAreCold) {
  const std::string lines =
      "  do {\n    for (;;) {\n      if (f) { break; }\n    }\n    wf_1(f);\n  } while (false);\n";
  const std::string text = TextOf({lines, ""});
  const TextFunctions functions(text);
  ASSERT_EQ(functions.Calls().size(), 1u);
  EXPECT_FALSE(functions.Calls()[0].in_loop);
}

// wf_0 -> loop: wf_1 -> wf_2 -> wf_3.
TEST(ColdChunksTest, WhatIsCalledFromWithinALoopStaysWithWhatItCalls) {
  const auto chunks = ColdChunksOf(TextOf({"  while (f) {\n    wf_1(f);\n  }\n", "  wf_2(f);\n",
                                           "  wf_3(f);\n", "", "", "", "", "", "", ""}),
                                   2500);
  ASSERT_GT(chunks.size(), 1u);
  for (const char* name : {"wf_1", "wf_2", "wf_3"}) {
    EXPECT_EQ(ChunkWith(chunks, name), ChunkWith(chunks, "wf_0")) << name;
  }
}

TEST(ColdChunksTest, RecursionStaysTogether) {
  const std::string text = "#line 1 \"module\"\n" + Kilobyte("wf_0", "  wf_1(f);\n") +
                           Kilobyte("wf_1", "  wf_1_1(f);\n  wf_7(f);\n") +
                           Kilobyte("wf_1_1", "  wf_1_2(f);\n") + Kilobyte("wf_1_2", "") +
                           Kilobyte("wf_2", "  w = wb_wait(L, 1u);\n  wf_8(f);\n") +
                           Kilobyte("wf_3", "") + Kilobyte("wf_4", "") + Kilobyte("wf_5", "") +
                           Kilobyte("wf_6", "") + Kilobyte("wf_7", "") + Kilobyte("wf_8", "");
  const auto chunks = ColdChunksOf(text + kRunsFirst, 2500);
  ASSERT_GT(chunks.size(), 1u);
  for (const char* name : {"wf_1_1", "wf_1_2", "wf_7"}) {
    EXPECT_EQ(ChunkWith(chunks, name), ChunkWith(chunks, "wf_1")) << name;
  }
  EXPECT_EQ(ChunkWith(chunks, "wf_2"), ChunkWith(chunks, "wf_8"));
}

TEST(ColdChunksTest, WhereMostStaysTogetherTheTextIsWhole) {
  const std::string text = TextOf(
      {"  while (f) {\n    wf_1(f);\n    wf_2(f);\n    wf_3(f);\n  }\n", "", "", "", "", ""});
  EXPECT_EQ(ColdChunksOf(text, 1500), std::vector<std::string>{text});
  const std::string small = TextOf({"", ""});
  EXPECT_EQ(ColdChunksOf(small, 2000), std::vector<std::string>{small});
  EXPECT_EQ(ColdChunksOf("no functions\n", 1), std::vector<std::string>{"no functions\n"});
}

// Functions that are in one chunk, and not beside one another, keep their lines.
TEST(ColdChunksTest, LinesAreThoseOfTheWholeText) {
  const std::string text = TextOf({"", "", "", "", "", ""});
  const size_t module_at = text.find('\n') + 1;
  for (const std::string& chunk : ColdChunksOf(text, 2000)) {
    for (size_t at = chunk.find(" {\n"); at != std::string::npos; at = chunk.find(" {\n", at + 1)) {
      const std::string line = chunk.substr(chunk.rfind('\n', at) + 1, at - chunk.rfind('\n', at));
      const size_t place = text.find(line) - module_at;
      const size_t number =
          std::count(text.begin() + module_at, text.begin() + module_at + place, '\n') + 1;
      const size_t said = chunk.rfind("#line ", at);
      const size_t lines = std::count(chunk.begin() + said, chunk.begin() + at, '\n') - 1;
      EXPECT_EQ(std::stoul(chunk.substr(said + 6)) + lines, number) << line;
    }
  }
}

TEST(ColdChunksTest, AnEmittedTextOfManyFunctionsIsCutEvenly) {
  const auto module = MustLower(ManyFunctionsModule(25, 130));
  const std::string text = EmitKernel(*module, {})->text;
  const auto chunks = ColdChunksOf(text, size_t{20} << 10);
  ASSERT_EQ(chunks.size(), 5u);
  for (const std::string& chunk : chunks) {
    EXPECT_LT(BytesOfFunctions(chunk), BytesOfFunctions(text) / 2);
  }
}

}  // namespace
}  // namespace wb::test
