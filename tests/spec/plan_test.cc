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

TEST(MakePlan, ChecksFollowTheirInstance) {
  const Script script{{Make(CommandKind::kModule, "a", "$A"), Call(), Call(),
                       Make(CommandKind::kModule, "b"), Call(), Call("$A")}};
  const Plan plan = MakePlan(script, Imports);
  ASSERT_EQ(plan.instances.size(), 2u);
  EXPECT_EQ(plan.instances[0].calls, (std::vector<size_t>{1, 2, 5}));
  EXPECT_EQ(plan.instances[1].calls, (std::vector<size_t>{4}));
  EXPECT_EQ(plan.instances[1].command, 3u);
}

TEST(MakePlan, UninstantiableIsAnInstanceOfItsOwn) {
  const Script script{
      {Make(CommandKind::kModule, "a"), Make(CommandKind::kAssertUninstantiable, "b"), Call()}};
  const Plan plan = MakePlan(script, Imports);
  ASSERT_EQ(plan.instances.size(), 2u);
  EXPECT_EQ(plan.instances[0].calls, (std::vector<size_t>{2}));
  EXPECT_TRUE(plan.instances[1].calls.empty());
}

TEST(MakePlan, AGlobalIsReadInItsTurn) {
  Command get = Call();
  get.action.get = true;
  const Script script{{Make(CommandKind::kModule, "a"), Call(), get}};
  EXPECT_EQ(MakePlan(script, Imports).instances[0].calls, (std::vector<size_t>{1, 2}));
}

TEST(MakePlan, WhatCannotBeLinkedIsDecidedElsewhere) {
  const Script script{{Make(CommandKind::kModule, "a"), Make(CommandKind::kAssertUnlinkable, "b")}};
  const Plan plan = MakePlan(script, Imports);
  EXPECT_EQ(plan.outcomes[0].verdict, Verdict::kOpen);
  EXPECT_EQ(plan.unlinkable, (std::vector<size_t>{1}));
}

TEST(MakePlan, AnImportedModuleIsSharedFromThenOn) {
  const Script script{{Make(CommandKind::kModule, "a", "$A"), RegisterAs("M"), Call(),
                       Make(CommandKind::kModule, "imports-M"), Call("$A"), Call()}};
  const Plan plan = MakePlan(script, Imports);
  EXPECT_EQ(plan.instances[0].calls, (std::vector<size_t>{2}));
  EXPECT_EQ(plan.outcomes[4].verdict, Verdict::kRefused);
  EXPECT_EQ(plan.instances[1].calls, (std::vector<size_t>{5}));
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
