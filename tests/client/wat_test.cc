#include "client/cli/program/wat.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(Wat, Assembles) {
  Result<std::string> wasm = AssembleWat("(module (func (export \"f\")))", "f.wat");
  ASSERT_TRUE(wasm.ok()) << wasm.status().message();
  EXPECT_TRUE(wasm->starts_with(std::string("\0asm\1\0\0\0", 8)));
}

TEST(Wat, MistakesHaveLineAndColumn) {
  Status status = AssembleWat("(module\n  (func (i32.add)))", "f.wat").status();
  EXPECT_EQ(status.reason(), Reason::kWatInvalid);
  EXPECT_TRUE(status.message().starts_with("f.wat:2:")) << status.message();
  EXPECT_EQ(AssembleWat("", "f.wat").status().ok(), AssembleWat(" ", "f.wat").status().ok());
  EXPECT_FALSE(AssembleWat("(module", "f.wat").ok());
  EXPECT_FALSE(AssembleWat("nonsense", "f.wat").ok());
}

TEST(Wat, TextAtTheDepthLimitAssembles) {
  int depth = kMaxWatDepth - 2;
  std::string text = "(module (func " + Repeated("(block ", depth) + Repeated(")", depth) + "))";
  EXPECT_TRUE(AssembleWat(text, "deep.wat").ok());
  std::string flat = "(module (func " + Repeated("block ", depth) + Repeated("end ", depth) + "))";
  EXPECT_TRUE(AssembleWat(flat, "deep.wat").ok());
}

TEST(Wat, DeeperTextIsRefusedWithItsPlace) {
  for (const char* opener : {"(block\n", "block\n", "loop\n", "(if (i32.const 1) (then\n", "("}) {
    Status status = AssembleWat("(module (func " + Repeated(opener, 200000), "deep.wat").status();
    EXPECT_EQ(status.reason(), Reason::kWatInvalid) << opener;
    EXPECT_NE(status.message().find("deep.wat:"), std::string::npos);
    EXPECT_NE(status.message().find("nests ["), std::string::npos);
  }
}

TEST(Wat, StringsAndCommentsDoNotCount) {
  EXPECT_EQ(MeasureDepth("(\"((((\\\"((((\" )").deepest, 1);
  EXPECT_EQ(MeasureDepth(";; ((((\n(a)").deepest, 1);
  EXPECT_EQ(MeasureDepth("(; (( (; (( ;) (( ;) (a)").deepest, 1);
  EXPECT_EQ(MeasureDepth("(; never closed (((").deepest, 0);
  EXPECT_EQ(MeasureDepth("\"never closed (((").deepest, 0);
  EXPECT_EQ(MeasureDepth("(a (b)\n  (c (d)))").deepest, 3);
  EXPECT_EQ(MeasureDepth("(a (b)\n  (c (d)))").line, 2);
  EXPECT_EQ(MeasureDepth("block block end end block end").deepest, 2);
  EXPECT_EQ(MeasureDepth(")))))(").deepest, 1);
}

}  // namespace
}  // namespace wb::cli
