// What cannot be lowered is refused by name and place.

#include <gtest/gtest.h>

#include "tests/compiler/ir/lowered_text.h"

namespace wb::test {
namespace {

struct Case {
  const char* wat;
  Reason reason;
  const char* message;  // part of it
};

const Case kCases[] = {
    {R"((module (import "env" "print" (func))))", Reason::kImportNotProvided,
     "Import [env.print] (a function)"},
    {R"((module (import "env" "memory" (memory 1))))", Reason::kImportNotProvided,
     "Import [env.memory] (a memory)"},
    {"(module (table 10000000 funcref) (func (table.set 0 (i32.const 0) (ref.null func))))",
     Reason::kWasmUnsupportedFeature, "[10000000] elements"},
    {"(module (table 10000000 funcref) (elem (i32.const 9999999) func $f) (func $f))",
     Reason::kWasmUnsupportedFeature, "[10000000]"},
};

TEST(RefusalTest, MoreMemoriesThanARowNames) {
  std::string wat = "(module";
  for (uint32_t i = 0; i < ir::kMaxMemories; ++i) wat += "(memory 1)";
  EXPECT_TRUE(TryLower(wat + ")").ok());
  const Status status = TryLower(wat + "(memory 1))").status();
  EXPECT_EQ(status.reason(), Reason::kWasmUnsupportedFeature);
  EXPECT_NE(status.message().find("More than [256] memories"), std::string::npos);
}

TEST(RefusalTest, ByNameAndPlace) {
  for (const Case& item : kCases) {
    const Status status = TryLower(item.wat).status();
    EXPECT_EQ(status.reason(), item.reason) << item.wat << "\n" << status.ToString();
    EXPECT_NE(status.message().find(item.message), std::string::npos) << item.wat << "\n"
                                                                      << status.ToString();
    ASSERT_FALSE(status.details().empty()) << item.wat;
    const bool import = item.reason == Reason::kImportNotProvided;
    EXPECT_EQ(status.details()[0].key, import ? "import" : "offset") << item.wat;
  }
}

// A callee of 4,000 fuel that cannot leave, called `calls` times in a row.
std::string ManyCalls(size_t calls) {
  std::string wat = "(module (func $f";
  for (int i = 0; i < 4000; ++i) wat += "(drop(i32.const 1))";
  wat += ")(func";
  for (size_t i = 0; i < calls; ++i) wat += "(call $f)";
  return wat + "))";
}

TEST(RefusalTest, FuelThatWouldRunRoundBetweenSafepoints) {
  EXPECT_TRUE(TryLower(ManyCalls(100000)).ok());
  const Status status = TryLower(ManyCalls(150000)).status();
  EXPECT_EQ(status.reason(), Reason::kWasmUnsupportedFeature);
  EXPECT_NE(status.message().find("function [1]"), std::string::npos) << status.ToString();
}

}  // namespace
}  // namespace wb::test
