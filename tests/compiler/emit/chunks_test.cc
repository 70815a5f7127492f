// A text cut into several that are linked.

#include "compiler/emit/chunks.h"

#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "compiler/emit/text_functions.h"
#include "tests/compiler/emit/many_functions.h"
#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

constexpr const char* kHead =
    "struct WbR_i { int w; };\n"
    "static WbR_i wf_0(uint f);\n"
    "__attribute__((noinline)) static WbR_i wf_1(uint f);\n";
constexpr const char* kFirst = "static WbR_i wf_0(uint f) {\n  if (f) {\n  }\n}\n";
constexpr const char* kSecond = "static WbR_i wf_1(uint f) {\n}\n";
constexpr const char* kRest = "static WbEnd wb_run(uint f) {\n}\nkernel void wb_main() {\n}\n";

std::string Small() { return std::string(kHead) + kFirst + kSecond + kRest; }

// How often `part` is in `text`.
size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ChunksTest, WhatFitsStaysAsItIs) {
  EXPECT_EQ(ChunksOf(Small(), 1000), std::vector<std::string>{Small()});
  EXPECT_EQ(ChunksOf("no functions\n", 1), std::vector<std::string>{"no functions\n"});
  EXPECT_EQ(ChunksOf("", 1), std::vector<std::string>{""});
}

TEST(ChunksTest, EachFunctionIsInOneChunkAndTheRestInTheLast) {
  const auto chunks = ChunksOf(Small(), 1);
  const std::string head = "struct WbR_i { int w; };\n";
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0],
            head + "WbR_i wf_0(uint f);\n" + "WbR_i wf_0(uint f) {\n  if (f) {\n  }\n}\n");
  EXPECT_EQ(chunks[1], head + "__attribute__((noinline)) WbR_i wf_1(uint f);\n" +
                           "WbR_i wf_1(uint f) {\n}\n" + kRest);
}

TEST(ChunksTest, AChunkDeclaresWhatItHasAndCalls) {
  const std::string head = "static WbR_i wf_0();\nstatic WbR_i wf_1();\nstatic WbR_i wf_12();\n";
  const std::string text = head + "static WbR_i wf_0() {\n  wf_12();\n}\n" +
                           "static WbR_i wf_1() {\n}\nstatic WbR_i wf_12() {\n}\n";
  const auto chunks = ChunksOf(text + "static WbEnd wb_run() {\n  wf_1();\n}\n", 1);
  ASSERT_EQ(chunks.size(), 3u);
  EXPECT_EQ(chunks[0], "WbR_i wf_0();\nWbR_i wf_12();\nWbR_i wf_0() {\n  wf_12();\n}\n");
  EXPECT_EQ(chunks[1], "WbR_i wf_1();\nWbR_i wf_1() {\n}\n");
  EXPECT_EQ(chunks[2],
            "WbR_i wf_1();\nWbR_i wf_12();\nWbR_i wf_12() {\n}\n"
            "static WbEnd wb_run() {\n  wf_1();\n}\n");
}

// Of functions with as many bytes those with more calls are fewer in a chunk.
TEST(ChunksTest, CallsWeighMoreThanTheirBytes) {
  std::string text = "head\n";
  for (int i = 0; i < 20; ++i) {
    const std::string number = std::to_string(10 + i);
    std::string rows;
    for (int row = 0; row < 100; ++row) rows += i < 4 ? "  wf_29();\n" : "  uu_29();\n";
    text += "static WbR_i wf_" + number + "() {\n" + rows + "}\n";
  }
  const auto chunks = ChunksOf(text + kRest, BytesOfFunctions(text) / 4 + 1);
  ASSERT_EQ(chunks.size(), 4u);
  for (size_t i = 0; i < 2; ++i) EXPECT_LE(Count(chunks[i], "WbR_i wf_"), 2u) << i;
  EXPECT_GE(Count(chunks[3], "WbR_i wf_"), 10u);
}

// A compiler's message for any chunk so names the line that the function has in the whole text.
TEST(ChunksTest, LinesAreCountedAsInTheWholeText) {
  const std::string text = "#line 1 \"module\"\n" + Small();
  const auto chunks = ChunksOf(text, 1);
  ASSERT_EQ(chunks.size(), 2u);
  const size_t before = Count(text.substr(0, text.find("WbR_i wf_1(uint f) {")), "\n");
  EXPECT_NE(chunks[1].find("#line " + std::to_string(before) + " \"module\"\nWbR_i wf_1(uint f) {"),
            std::string::npos)
      << chunks[1];
}

TEST(ChunksTest, BytesAreThoseOfTheFunctions) {
  EXPECT_EQ(BytesOfFunctions(Small()), std::string(kFirst).size() + std::string(kSecond).size());
  EXPECT_EQ(BytesOfFunctions("no functions\n"), 0u);
}

TEST(ChunksTest, ALineWithoutItsEndIsNoTrouble) {
  EXPECT_EQ(ChunksOf("static WbR_i wf_0() {", 1).size(), 1u);
  EXPECT_EQ(ChunksOf("static WbR_i wf_0() {\n}", 1).size(), 1u);
}

// Sixteen functions of one size, of which each odd one calls the next.
TEST(ChunksTest, CutsAreWhereFewCallsCross) {
  std::string text = "head\n";
  for (int i = 0; i < 16; ++i) {
    const std::string number = std::to_string(10 + i), next = std::to_string(11 + i);
    const char* call = i % 2 == 1 && i < 15 ? "wf_" : "uu_";
    text += "static WbR_i wf_" + number + "(uint f) {\n  " + call + next + "(f);\n}\n";
  }
  const auto chunks = ChunksOf(text + kRest, BytesOfFunctions(text) / 2 + 1);
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(Count(chunks[0], "WbR_i wf_"), 7u);  // not 8: the eighth calls the ninth
  EXPECT_EQ(Count(chunks[1], "WbR_i wf_"), 9u);
}

TEST(ChunksTest, OneLargeFunctionLeavesTheOthersTogether) {
  std::string text = "head\n";
  for (int i = 0; i < 12; ++i) {
    const std::string rows(i == 0 ? 4000 : 1, 'x');
    text += "static WbR_i wf_" + std::to_string(i) + "(uint f) {\n  " + rows + "\n}\n";
  }
  const auto chunks = ChunksOf(text + kRest, BytesOfFunctions(text) / 4 + 1);
  ASSERT_EQ(chunks.size(), 4u);
  EXPECT_EQ(Count(chunks[0], "WbR_i wf_"), 1u);
  for (size_t i = 1; i < 4; ++i) EXPECT_GE(Count(chunks[i], "WbR_i wf_"), 3u) << i;
}

TEST(ChunksTest, EmittedTextsAreCutEvenly) {
  const auto module = MustLower(ManyFunctionsModule(200, 100));
  const std::string text = EmitKernel(*module, {})->text;
  const auto chunks = ChunksOf(text, 100'000);
  ASSERT_GT(chunks.size(), 3u);
  size_t entries = 0;
  std::string all;
  for (const std::string& chunk : chunks) {
    EXPECT_LT(chunk.size(), text.size() / 2);
    entries += Count(chunk, "kernel void wb_main(");
    all += chunk;
  }
  EXPECT_EQ(entries, 1u);
  EXPECT_EQ(Count(all, std::string(kFunctionStart)), 0u);
  for (uint32_t i = 0; i < 200; ++i) {
    const std::string name = " wf_" + std::to_string(i) + "(wb_lane L, ";
    EXPECT_GE(Count(all, name), 2u) << i;  // one definition, and a declaration where it is needed
  }
}

// As many declarations as functions: what is copied into each chunk stays in proportion.
TEST(ChunksTest, AllChunksTogetherAreBounded) {
  std::string head, functions;
  for (int i = 0; i < 20'000; ++i) {
    const std::string signature =
        "static WbR_i wf_" + std::to_string(i) + "(uint some, uint other)";
    head += signature + ";\n";
    functions += signature + " {\n  return 0;\n}\n";
  }
  size_t all = 0;
  for (const std::string& chunk : ChunksOf(head + functions, 1)) all += chunk.size();
  EXPECT_LT(all, 3 * functions.size() + (size_t{1} << 20));
}

}  // namespace
}  // namespace wb::test
