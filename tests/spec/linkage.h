#pragma once

// The modules of a script's plan, decoded, with readers of their globals, and linked where the plan
// says so.

#include <memory>
#include <optional>
#include <string>

#include "compiler/wasm/module.h"
#include "scheduler/job/lane_program.h"
#include "tests/spec/plan.h"
#include "tests/spec/wast_file.h"

namespace wb::spec {

// The name of an instance among those linked with it.
std::string InstanceName(size_t instance);

Result<std::shared_ptr<const Module>> DecodeFile(const WastFile& file, const std::string& filename);

// The one module of the program, which imports from `spectest` alone, or its modules linked, to be
// instantiated by steps.
Result<std::shared_ptr<const Module>> ModuleOf(const WastFile& file, const Plan& plan,
                                               const ProgramPlan& program);

// What linking the module of an `assert_unlinkable` comes to.
Outcome JudgeUnlinkable(const WastFile& file, const Plan& plan, const InstancePlan& unlinkable);

// The command of a step as a step of a lane program on that module.
CallStep StepOf(const Script& script, const Plan& plan, const ProgramPlan& program,
                const ProgramPlan::Step& step);

}  // namespace wb::spec
