#include "tests/spec/tally.h"

#include <gtest/gtest.h>

namespace wb::spec {
namespace {

const RunName kRun{"cpu", "native", "plain"};

Script FourCommands() {
  Script script;
  for (const CommandKind kind : {CommandKind::kModule, CommandKind::kRegister,
                                 CommandKind::kAssertReturn, CommandKind::kAssertInvalid}) {
    Command command;
    command.kind = kind;
    command.line = static_cast<uint32_t>(script.commands.size() + 1);
    script.commands.push_back(command);
  }
  return script;
}

Tally OneFile(const std::vector<Outcome>& outcomes) {
  Tally tally;
  tally.Add("file", FourCommands(), outcomes);
  return tally;
}

TEST(Tally, RegisterDoesNotCountAndDecoderChecksStandApart) {
  const Tally tally = OneFile({{Verdict::kPassed, ""},
                               {Verdict::kOpen, ""},
                               {Verdict::kRefused, "vectors"},
                               {Verdict::kPassed, ""}});
  EXPECT_EQ(tally.files[0].total(), 3u);
  EXPECT_EQ(tally.files[0].executed.passed, 1u);
  EXPECT_EQ(tally.files[0].decoder.passed, 1u);
  EXPECT_EQ(tally.refusals.at("vectors"), 1u);
  EXPECT_EQ(LastLine(kRun, tally), "spec cpu native plain: 2 of 3 passed, 1 refused, 0 failed");
}

TEST(Tally, AnUndecidedCheckFails) {
  const Tally tally = OneFile({{}, {}, {Verdict::kFailed, "wrong"}, {Verdict::kPassed, ""}});
  ASSERT_EQ(tally.failures.size(), 2u);
  EXPECT_EQ(tally.failures[0], "file.wast:1: module: was never decided");
  EXPECT_EQ(tally.failures[1], "file.wast:3: assert_return: wrong");
  EXPECT_EQ(tally.Sum().executed.failed, 2u);
}

TEST(Baseline, OnlyRises) {
  const Outcome passed{Verdict::kPassed, ""};
  const Tally two = OneFile({passed, {}, {Verdict::kRefused, "x"}, passed});
  const Tally three = OneFile({passed, {}, passed, passed});
  auto baseline = Baseline::Parse("# comment\n\ncpu native plain file 3\n");
  ASSERT_TRUE(baseline.ok());
  EXPECT_EQ(baseline->Drops(kRun, two).size(), 1u);
  EXPECT_TRUE(baseline->Drops(kRun, three).empty());
  EXPECT_EQ(baseline->Rises(kRun, three), 0u);
  const RunName other{"cpu", "native", "leave"};
  EXPECT_EQ(baseline->Rises(other, three), 1u);
  baseline->Update(other, three);
  const auto again = Baseline::Parse(baseline->ToString());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->Drops(other, two).size(), 1u);
  EXPECT_FALSE(Baseline::Parse("cpu native plain file three\n").ok());
}

}  // namespace
}  // namespace wb::spec
