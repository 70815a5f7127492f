#include "tests/spec/plan.h"

#include <gtest/gtest.h>

namespace wb::spec {
namespace {

Command Make(CommandKind kind, const std::string& filename = "", const std::string& name = "") {
  Command command;
  command.kind = kind;
  command.filename = filename;
  command.name = name;
  return command;
}
Command Call(const std::string& module = "") {
  Command command = Make(CommandKind::kAssertReturn);
  command.action.module = module;
  return command;
}
Command RegisterAs(const std::string& as, const std::string& name = "") {
  Command command = Make(CommandKind::kRegister, "", name);
  command.as = as;
  return command;
}

// "imports-M" imports from M, every other file from nothing.
std::vector<std::string> Imports(const std::string& filename) {
  if (filename.rfind("imports-", 0) == 0) return {filename.substr(8)};
  return {};
}

std::vector<size_t> CommandsOf(const ProgramPlan& program) {
  std::vector<size_t> commands;
  for (const ProgramPlan::Step& step : program.steps) commands.push_back(step.command);
  return commands;
}
using Numbers = std::vector<size_t>;

TEST(MakePlan, ChecksFollowTheirInstance) {
  const Script script{{Make(CommandKind::kModule, "a", "$A"), Call(), Call(),
                       Make(CommandKind::kModule, "b"), Call(), Call("$A")}};
  const Plan plan = MakePlan(script, Imports);
  ASSERT_EQ(plan.programs.size(), 2u);
  EXPECT_EQ(CommandsOf(plan.programs[0]), (Numbers{1, 2, 5}));
  EXPECT_EQ(CommandsOf(plan.programs[1]), (Numbers{4}));
  EXPECT_EQ(plan.instances[1].command, 3u);
}

TEST(MakePlan, UninstantiableIsAnInstanceOfItsOwn) {
  const Script script{
      {Make(CommandKind::kModule, "a"), Make(CommandKind::kAssertUninstantiable, "b"), Call()}};
  const Plan plan = MakePlan(script, Imports);
  ASSERT_EQ(plan.programs.size(), 2u);
  EXPECT_EQ(CommandsOf(plan.programs[0]), (Numbers{2}));
  EXPECT_TRUE(plan.programs[1].steps.empty());
}

TEST(MakePlan, AGlobalIsReadInItsTurn) {
  Command get = Call();
  get.action.get = true;
  const Script script{{Make(CommandKind::kModule, "a"), Call(), get}};
  EXPECT_EQ(CommandsOf(MakePlan(script, Imports).programs[0]), (Numbers{1, 2}));
}

TEST(MakePlan, WhatCannotBeLinkedKnowsWhatWasRegistered) {
  const Script script{{Make(CommandKind::kModule, "a"), RegisterAs("M"),
                       Make(CommandKind::kAssertUnlinkable, "imports-M")}};
  const Plan plan = MakePlan(script, Imports);
  EXPECT_EQ(plan.outcomes[0].verdict, Verdict::kOpen);
  ASSERT_EQ(plan.unlinkable.size(), 1u);
  EXPECT_EQ(plan.unlinkable[0].command, 2u);
  EXPECT_EQ(plan.unlinkable[0].imports_from.at("M"), 0u);
  EXPECT_EQ(plan.programs.size(), 1u);
}

TEST(MakePlan, LinkedModulesAreOneProgramAndOthersNot) {
  const Script script{{Make(CommandKind::kModule, "a", "$A"), RegisterAs("M"), Call(),
                       Make(CommandKind::kModule, "b"), Call(),
                       Make(CommandKind::kModule, "imports-M"), Call("$A"), Call(),
                       Make(CommandKind::kAssertUninstantiable, "imports-M"), Call()}};
  const Plan plan = MakePlan(script, Imports);
  ASSERT_EQ(plan.programs.size(), 2u);
  EXPECT_TRUE(plan.programs[0].linked());
  EXPECT_EQ(plan.programs[0].instances, (Numbers{0, 2, 3}));
  EXPECT_EQ(CommandsOf(plan.programs[0]), (Numbers{0, 2, 5, 6, 7, 8, 9}));
  EXPECT_EQ(plan.programs[0].steps[4].instance, 2u);
  EXPECT_EQ(plan.programs[0].steps[6].instance, 2u);
  EXPECT_EQ(CommandsOf(plan.programs[1]), (Numbers{4}));
}

TEST(MakePlan, ANameMeansTheInstanceRegisteredLast) {
  const Script script{{Make(CommandKind::kModule, "a"), RegisterAs("M"),
                       Make(CommandKind::kModule, "imports-M"), RegisterAs("M"),
                       Make(CommandKind::kModule, "imports-M")}};
  const Plan plan = MakePlan(script, Imports);
  EXPECT_EQ(plan.instances[1].imports_from.at("M"), 0u);
  EXPECT_EQ(plan.instances[2].imports_from.at("M"), 1u);
  EXPECT_EQ(plan.programs.size(), 1u);
}

TEST(MakePlan, DecoderChecksAndUnknownModules) {
  const Script script{{Make(CommandKind::kAssertInvalid, "a"),
                       Make(CommandKind::kAssertMalformed, "b"), Call("$Nobody")}};
  const Plan plan = MakePlan(script, Imports);
  EXPECT_EQ(plan.decoder_checks, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(plan.outcomes[2].verdict, Verdict::kFailed);
}

}  // namespace
}  // namespace wb::spec
