#include "compiler/debug/function_names.h"

#include <gtest/gtest.h>

#include "compiler/debug/debug_info.h"
#include "tests/compiler/debug/debug_bytes.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

// Functions 0 to 3; 1 is exported twice, 2 once.
constexpr std::string_view kModule = R"((module
  (import "env" "log" (func))
  (func (export "first") (export "again"))
  (func (export "second"))
  (func)))";

DebugInfo InfoWith(ByteView names) {
  return DebugInfo(*Module::Decode(WithCustom(MustAssemble(kModule), "name", names)));
}

TEST(FunctionNames, TheNameSectionCountsBeforeExports) {
  const DebugInfo info = InfoWith(NameSection({{0, "log"}, {2, "two"}, {3, "hidden"}}));
  EXPECT_EQ(info.FunctionName(0), "log");
  EXPECT_EQ(info.FunctionName(1), "first");
  EXPECT_EQ(info.FunctionName(2), "two");
  EXPECT_EQ(info.FunctionName(3), "hidden");
  EXPECT_EQ(info.FunctionName(4), "");
}

TEST(FunctionNames, WithoutASectionExportsAreNames) {
  const DebugInfo info(*Module::Decode(MustAssemble(kModule)));
  EXPECT_EQ(info.FunctionName(1), "first");
  EXPECT_EQ(info.FunctionName(3), "");
}

TEST(FunctionNames, ASectionThatLiesIsIgnored) {
  Bytes more = NameSection({{3, "hidden"}});
  more[2] = 9;  // names that do not follow
  const std::vector<Bytes> lies = {NameSection({{3, "hidden"}, {3, "twice"}}),
                                   NameSection({{3, "hidden"}, {2, "backwards"}}),
                                   NameSection({{3, "hidden"}, {4, "no such function"}}), more};
  for (const Bytes& section : lies) {
    EXPECT_EQ(InfoWith(section).FunctionName(3), "");
    EXPECT_EQ(InfoWith(section).FunctionName(1), "first");
  }
}

TEST(FunctionNames, EveryFrontOfASectionIsReadOrIgnored) {
  const Bytes whole = NameSection({{0, "log"}, {1, "one"}, {3, "hidden"}});
  for (size_t length = 1; length < whole.size(); ++length) {
    EXPECT_EQ(InfoWith(ByteView(whole).first(length)).FunctionName(3), "") << length;
  }
}

TEST(FunctionNames, ANameThatIsNotUtf8IsNoName) {
  const DebugInfo info = InfoWith(NameSection({{0, "\xff\xfe"}, {3, "hidden"}}));
  EXPECT_EQ(info.FunctionName(0), "");
  EXPECT_EQ(info.FunctionName(3), "hidden");
}

TEST(FunctionNames, LongNamesAreCut) {
  const DebugInfo info = InfoWith(NameSection({{3, std::string(5000, 'x')}}));
  EXPECT_EQ(info.FunctionName(3), std::string(DebugInfo::kLongestText, 'x'));
}

}  // namespace
}  // namespace wb::test
