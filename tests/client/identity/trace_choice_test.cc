// Which trace a command belongs to.

#include "client/cli/identity/trace_choice.h"

#include <gtest/gtest.h>

#include "compiler/base/trace_context.h"

namespace wb::cli {
namespace {

constexpr const char* kOne = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
constexpr const char* kOther = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

TEST(TraceChoice, TheFlagThenTheEnvironmentThenANewOne) {
  EXPECT_EQ(ChooseTraceParent(kOne, kOther).value(), kOne);
  EXPECT_EQ(ChooseTraceParent("", kOther).value(), kOther);
  const std::string fresh = ChooseTraceParent("", "").value();
  const auto parsed = ParseTraceParent(fresh);
  ASSERT_TRUE(parsed.has_value()) << fresh;
  EXPECT_FALSE(parsed->sampled);
  EXPECT_NE(ChooseTraceParent("", "").value(), fresh);
}

TEST(TraceChoice, AWrongFlagIsAnErrorAndAWrongVariableIsNone) {
  const Status wrong = ChooseTraceParent("4bf92f35", kOther).status();
  EXPECT_EQ(wrong.reason(), Reason::kInvalidArgument);
  EXPECT_NE(wrong.message().find("[4bf92f35]"), std::string::npos);
  EXPECT_TRUE(ParseTraceParent(ChooseTraceParent("", "nonsense").value()).has_value());
}

}  // namespace
}  // namespace wb::cli
