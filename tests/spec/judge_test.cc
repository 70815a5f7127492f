#include "tests/spec/judge.h"

#include <gtest/gtest.h>

namespace wb::spec {
namespace {

Command Make(CommandKind kind, const std::string& text = "") {
  Command command;
  command.kind = kind;
  command.text = text;
  return command;
}
StepSeen Returned(std::vector<Value> results) { return {true, Trap::kNone, std::move(results)}; }
StepSeen Trapped(Trap trap) { return {true, trap, {}}; }

TEST(JudgeCall, Returns) {
  Command command = Make(CommandKind::kAssertReturn);
  command.expected.resize(1);
  command.expected[0].value = Value::I32(7);
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(7)})).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(8)})).reason,
            "result [0] of []: expected [i32 0x00000007], got [i32 0x00000008]");
  EXPECT_EQ(JudgeCall(command, Returned({})).verdict, Verdict::kFailed);
  EXPECT_EQ(JudgeCall(command, Trapped(Trap::kUnreachable)).verdict, Verdict::kFailed);
  EXPECT_EQ(JudgeCall(command, StepSeen()).reason, "was not reached");
}

TEST(JudgeCall, ReturnsOneOfTheAlternatives) {
  Command command = Make(CommandKind::kAssertReturn);
  command.either = true;
  command.expected.resize(2);
  command.expected[0].value = Value::I32(7);
  command.expected[1].value = Value::I32(9);
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(7)})).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(9)})).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(8)})).reason,
            "result of []: expected [i32 0x00000007 or i32 0x00000009], got [i32 0x00000008]");
  EXPECT_EQ(JudgeCall(command, Returned({Value::I32(7), Value::I32(7)})).verdict, Verdict::kFailed);
  EXPECT_EQ(JudgeCall(command, Returned({})).verdict, Verdict::kFailed);
}

TEST(JudgeCall, Traps) {
  const Command command = Make(CommandKind::kAssertTrap, "integer overflow");
  EXPECT_EQ(JudgeCall(command, Trapped(Trap::kIntegerOverflow)).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(command, Trapped(Trap::kDivideByZero)).verdict, Verdict::kFailed);
  EXPECT_EQ(JudgeCall(command, Returned({})).verdict, Verdict::kFailed);
  const Command exhaustion = Make(CommandKind::kAssertExhaustion, "call stack exhausted");
  EXPECT_EQ(JudgeCall(exhaustion, Trapped(Trap::kStackExhausted)).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(exhaustion, Trapped(Trap::kUnreachable)).verdict, Verdict::kFailed);
  const Command action = Make(CommandKind::kAction);
  EXPECT_EQ(JudgeCall(action, Returned({Value::I32(1)})).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeCall(action, Trapped(Trap::kUnreachable)).verdict, Verdict::kFailed);
}

TEST(JudgeInstantiation, TrapsAreExpectedOfTheUninstantiable) {
  const Command module = Make(CommandKind::kModule);
  const Command uninstantiable = Make(CommandKind::kAssertUninstantiable, "unreachable");
  Observed running;
  running.instantiated = true;
  Observed trapped;
  trapped.end = End::kTrapped;
  trapped.trap = Trap::kUnreachable;
  EXPECT_EQ(JudgeInstantiation(module, running).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeInstantiation(module, trapped).verdict, Verdict::kFailed);
  EXPECT_EQ(JudgeInstantiation(uninstantiable, trapped).verdict, Verdict::kPassed);
  EXPECT_EQ(JudgeInstantiation(uninstantiable, running).verdict, Verdict::kFailed);
  Observed out_of_fuel;
  out_of_fuel.end = End::kOutOfFuel;
  EXPECT_EQ(JudgeInstantiation(module, out_of_fuel).verdict, Verdict::kFailed);
  out_of_fuel.instantiated = true;  // in a later step
  EXPECT_EQ(JudgeInstantiation(module, out_of_fuel).verdict, Verdict::kPassed);
}

TEST(JudgeProgram, DecidesItsCommandsAlone) {
  const Script script{
      {Make(CommandKind::kModule), Make(CommandKind::kAction), Make(CommandKind::kAction)}};
  Plan plan;
  plan.instances = {{0, {}}};
  std::vector<Outcome> outcomes(3);
  Observed observed;
  observed.instantiated = true;
  observed.steps = {Returned({})};
  JudgeProgram(script, plan, {{0}, {{2, 0}}}, observed, &outcomes);
  EXPECT_EQ(outcomes[0].verdict, Verdict::kPassed);
  EXPECT_EQ(outcomes[1].verdict, Verdict::kOpen);
  EXPECT_EQ(outcomes[2].verdict, Verdict::kPassed);
}

TEST(JudgeProgram, LinkedInstancesAreInstantiatedBySteps) {
  const Script script{{Make(CommandKind::kModule), Make(CommandKind::kModule),
                       Make(CommandKind::kAssertUninstantiable), Make(CommandKind::kAction)}};
  Script expecting = script;
  expecting.commands[2].text = "unreachable";
  Plan plan;
  plan.instances = {{0, {}}, {1, {}}, {2, {}}};
  const ProgramPlan program{{0, 1, 2}, {{0, 0}, {1, 1}, {2, 2}, {3, 0}}};
  StepSeen trapped;
  trapped.reached = true;
  trapped.trap = Trap::kUnreachable;
  std::vector<Outcome> outcomes(4);
  Observed observed;
  observed.steps = {Returned({}), trapped, trapped, Returned({})};
  JudgeProgram(expecting, plan, program, observed, &outcomes);
  EXPECT_EQ(outcomes[0].verdict, Verdict::kPassed);
  EXPECT_EQ(outcomes[1].verdict, Verdict::kFailed);
  EXPECT_EQ(outcomes[2].verdict, Verdict::kPassed);
  EXPECT_EQ(outcomes[3].verdict, Verdict::kPassed);
  observed.steps[2] = Returned({});
  JudgeProgram(expecting, plan, program, observed, &outcomes);
  EXPECT_EQ(outcomes[2].verdict, Verdict::kFailed);
}

}  // namespace
}  // namespace wb::spec
