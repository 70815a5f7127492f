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
     "Import [env.print] (a function, () -> ()) is not provided (unknown import). Give what "
     "exports "
     "them: --module env=FILE."},
    {R"((module (import "env" "memory" (memory 1))))", Reason::kImportNotProvided,
     "Import [env.memory] (a memory, 1 or more pages)"},
    {"(module (table 10000000 funcref) (func (table.set 0 (i32.const 0) (ref.null func))))",
     Reason::kWasmUnsupportedFeature, "[10000000] elements"},
    {"(module (table 10000000 funcref) (elem (i32.const 9999999) func $f) (func $f))",
     Reason::kWasmUnsupportedFeature, "[10000000]"},
};

TEST(RefusalTest, AllImportsAtOnce) {
  const Status status = TryLower(R"((module
    (import "env" "abort" (func (param i32 i32)))
    (import "env" "pages" (memory 1 2))
    (import "util" "table" (table 3 funcref))
    (import "util" "count" (global (mut i64)))))")
                            .status();
  EXPECT_EQ(status.message(),
            "Imports [env.abort] (a function, (i32, i32) -> ()), [env.pages] (a memory, 1..2 "
            "pages), [util.table] (a table, 3 or more funcref), [util.count] (a global, mutable "
            "i64) are not provided (unknown import). Give what exports them: --module env=FILE, "
            "--module util=FILE. Or bind functions and globals: --bind env.NAME=trap, --bind "
            "util.NAME=trap (or ignore, record, host, constant:TYPE:VALUE).");
}

TEST(RefusalTest, AWasiProgramIsNamedAsOne) {
  for (const std::string name : {"wasi_snapshot_preview1", "wasi_unstable"}) {
    const Status status =
        TryLower("(module (import \"" + name + "\" \"proc_exit\" (func (param i32))))").status();
    EXPECT_EQ(status.message(), "Import [" + name +
                                    ".proc_exit] (a function, (i32) -> ()) is not provided "
                                    "(unknown import). This is a WASI program; the system "
                                    "layer, which serves it, is linked to jobs.");
  }
}

TEST(RefusalTest, ManyImportsAreCutAndCounted) {
  std::string wat = "(module";
  for (int i = 0; i < 40; ++i) {
    wat += "(import \"m" + std::to_string(i) + std::string(300, 'x') + "\" \"f\" (func))";
  }
  const std::string said = TryLower(wat + ")").status().message();
  EXPECT_NE(said.find(" and 28 more are not provided"), std::string::npos) << said;
  EXPECT_LT(said.size(), 3000u);
}

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
