#include "tests/spec/judge.h"

#include <string>

#include "tests/spec/compare.h"

namespace wb::spec {
namespace {

Outcome Failed(std::string what) { return {Verdict::kFailed, std::move(what)}; }
Outcome Passed() { return {Verdict::kPassed, ""}; }

std::string Trapped(Trap trap) { return "trapped: [" + std::string(TrapWords(trap)) + "]"; }

Outcome JudgeEither(const Command& command, const StepSeen& step) {
  std::string alternatives;
  for (const ScriptValue& expected : command.expected) {
    if (step.results.size() == 1 && Matches(expected, step.results[0])) return Passed();
    alternatives += (alternatives.empty() ? "" : " or ") + Describe(expected);
  }
  return Failed("result of [" + command.action.field + "]: expected [" + alternatives + "], got [" +
                (step.results.empty() ? "" : Describe(step.results[0])) + "]");
}

Outcome JudgeResults(const Command& command, const StepSeen& step) {
  if (step.trap != Trap::kNone) return Failed(Trapped(step.trap));
  if (command.either) return JudgeEither(command, step);
  if (step.results.size() != command.expected.size()) {
    return Failed("expected [" + std::to_string(command.expected.size()) + "] results, got [" +
                  std::to_string(step.results.size()) + "]");
  }
  for (size_t i = 0; i < step.results.size(); ++i) {
    if (Matches(command.expected[i], step.results[i])) continue;
    return Failed("result [" + std::to_string(i) + "] of [" + command.action.field +
                  "]: expected [" + Describe(command.expected[i]) + "], got [" +
                  Describe(step.results[i]) + "]");
  }
  return Passed();
}

Outcome JudgeTrap(const Command& command, Trap trap) {
  if (TrapMatches(command.text, trap)) return Passed();
  return Failed("expected the trap [" + command.text + "], " +
                (trap == Trap::kNone ? std::string("returned") : Trapped(trap)));
}

}  // namespace

Outcome JudgeInstantiation(const Command& command, const Observed& observed) {
  const bool trapped = !observed.instantiated && observed.end == End::kTrapped;
  if (command.kind == CommandKind::kAssertUninstantiable) {
    return JudgeTrap(command, trapped ? observed.trap : Trap::kNone);
  }
  if (observed.instantiated) return Passed();
  if (trapped) return Failed("instantiation " + Trapped(observed.trap));
  return Failed("instantiation ended [" + std::string(EndName(observed.end)) + "]");
}

Outcome JudgeCall(const Command& command, const StepSeen& step) {
  if (!step.reached) return Failed("was not reached");
  switch (command.kind) {
    case CommandKind::kAssertReturn: return JudgeResults(command, step);
    case CommandKind::kAssertTrap: return JudgeTrap(command, step.trap);
    case CommandKind::kAssertExhaustion:
      if (step.trap == Trap::kStackExhausted) return Passed();
      return JudgeTrap(command, Trap::kNone);
    default: break;
  }
  return step.trap == Trap::kNone ? Passed() : Failed(Trapped(step.trap));
}

Outcome JudgeInstantiationStep(const Command& command, const StepSeen& step) {
  if (!step.reached) return Failed("was not reached");
  if (command.kind == CommandKind::kAssertUninstantiable) return JudgeTrap(command, step.trap);
  if (step.trap == Trap::kNone) return Passed();
  return Failed("instantiation " + Trapped(step.trap));
}

void JudgeProgram(const Script& script, const Plan& plan, const ProgramPlan& program,
                  const Observed& observed, std::vector<Outcome>* outcomes) {
  if (!program.linked()) {
    const size_t command = plan.instances[program.instances[0]].command;
    (*outcomes)[command] = JudgeInstantiation(script.commands[command], observed);
  }
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const ProgramPlan::Step& step = program.steps[i];
    const Command& command = script.commands[step.command];
    const bool instantiates = plan.instances[step.instance].command == step.command;
    (*outcomes)[step.command] = instantiates ? JudgeInstantiationStep(command, observed.steps[i])
                                             : JudgeCall(command, observed.steps[i]);
  }
}

void DecideAll(const Plan& plan, const ProgramPlan& program, const Outcome& outcome,
               std::vector<Outcome>* outcomes) {
  for (const size_t instance : program.instances) {
    (*outcomes)[plan.instances[instance].command] = outcome;
  }
  for (const ProgramPlan::Step& step : program.steps) (*outcomes)[step.command] = outcome;
}

}  // namespace wb::spec
