#pragma once

// From what an engine did with an instance to the outcome of each check on it. Pure.

#include <vector>

#include "compiler/abi/lane.h"
#include "compiler/base/bytes.h"
#include "tests/spec/plan.h"
#include "tests/spec/script.h"

namespace wb::spec {

struct StepSeen {
  bool reached = false;
  Trap trap = Trap::kNone;
  std::vector<Value> results;  // valid without a trap
};

// What every lane of the instance agreed on.
struct Observed {
  End end = End::kReturned;
  Trap trap = Trap::kNone;    // with kTrapped: instantiation trapped, for every step goes on
  bool instantiated = false;  // whether the instance came to its first step, or past its last
  uint64_t fuel = 0;
  std::vector<StepSeen> steps;   // one per step of the program
  Bytes output;                  // what read steps wrote
  std::vector<uint32_t> record;  // all of it as the engine wrote it
};

// Outcome of the command that instantiates: `module` or `assert_uninstantiable`.
Outcome JudgeInstantiation(const Command& command, const Observed& observed);

Outcome JudgeCall(const Command& command, const StepSeen& step);

// Outcome of a step that instantiates one of several linked modules.
Outcome JudgeInstantiationStep(const Command& command, const StepSeen& step);

// Decides every command of the program. `observed` has one step for each of its steps.
void JudgeProgram(const Script& script, const Plan& plan, const ProgramPlan& program,
                  const Observed& observed, std::vector<Outcome>* outcomes);

// The same outcome for every command of the program.
void DecideAll(const Plan& plan, const ProgramPlan& program, const Outcome& outcome,
               std::vector<Outcome>* outcomes);

}  // namespace wb::spec
