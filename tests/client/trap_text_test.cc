#include "client/cli/output/trap_text.h"

#include <gtest/gtest.h>

#include "client/cli/output/demangle.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::Trap DivideByZero() {
  v1::Trap trap;
  trap.set_message("integer divide by zero");
  trap.set_function(12);
  trap.set_offset(0x1a3);
  return trap;
}

TEST(TrapText, NamesAndLinesStandWhereTheyAreKnown) {
  v1::Trap trap = DivideByZero();
  EXPECT_EQ(TrapText(trap), "integer divide by zero (function 12, offset 0x1a3)");
  trap.set_function_name("parse_header");
  EXPECT_EQ(TrapText(trap), "integer divide by zero in parse_header (function 12, offset 0x1a3)");
  trap.set_file("src/parse.c");
  trap.set_line(41);
  trap.set_module("env");
  EXPECT_EQ(TrapText(trap),
            "integer divide by zero in parse_header (module env, function 12, offset 0x1a3) at "
            "src/parse.c:41");
}

TEST(TrapText, TrapsOfNoFunctionSayWhoseTheyAre) {
  v1::Trap trap;
  trap.set_message("out of bounds memory access");
  trap.set_function(0xffffffff);
  trap.set_offset(0xffffffff);
  EXPECT_EQ(TrapText(trap), "out of bounds memory access (by the step itself)");
  trap.set_offset(77);
  trap.set_module("env");
  EXPECT_EQ(TrapText(trap),
            "out of bounds memory access (module env, in instantiation, offset 0x4d)");
}

TEST(TrapText, AHostCallSaysWhatTheHostAnswered) {
  v1::Trap trap;
  trap.set_code("HOST_CALL_FAILED");
  trap.set_message("the call failed");
  trap.set_function(2);
  trap.set_offset(60);
  trap.set_host_error("no such\npage");
  EXPECT_EQ(TrapText(trap), "the call failed: no such\\x0apage (function 2, offset 0x3c)");
  trap.set_function(0xffffffff);
  trap.set_offset(0xffffffff);
  EXPECT_EQ(TrapText(trap), "the call failed: no such\\x0apage");
}

TEST(TrapText, ATerminalObeysNoName) {
  v1::Trap trap = DivideByZero();
  trap.set_function_name("\x1b[2Jf");
  EXPECT_NE(TrapText(trap).find("in \\x1b[2Jf (function"), std::string::npos);
}

TEST(DemangledName, IsAsTheLanguageWritesIt) {
  EXPECT_EQ(DemangledName("parse"), "parse");
  EXPECT_EQ(DemangledName("_ZN5parse4lineEi"), "parse::line(int)");
  EXPECT_EQ(DemangledName("_ZN5parse4line17h0123456789abcdefE"), "parse::line");
  EXPECT_EQ(DemangledName("_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt"
                          "17h0123456789abcdefE"),
            "<alloc::string::String as core::fmt::Display>::fmt");
  EXPECT_EQ(DemangledName("_ZN5parse4line17h0123456789abcdefE.llvm.1466751"), "parse::line");
  EXPECT_EQ(DemangledName("_Z"), "_Z");
  EXPECT_EQ(DemangledName("_RNvC6_123foo3bar"), "_RNvC6_123foo3bar");
}

TEST(DemangledName, ANameThatDoublesWithEveryPartStaysAsItIs) {
  std::string name = "_Z1f1PIiiE";
  for (const char digit : std::string("0123456789ABCDEFGHIJKLMNOP")) {
    const std::string part = std::string("S") + digit + "_";
    name += "S_I" + part + part + "E";
  }
  EXPECT_EQ(DemangledName(name), name);
}

}  // namespace
}  // namespace wb::cli
