#pragma once

// The smallest job of a module, for its pipelines: one instance, which calls an exported function,
// or begins as a program, with little fuel. It ends as OUT_OF_FUEL, or sooner.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// `bindings`: as --bind says them; those of the jobs to come, since a pipeline is of a module with
// its bindings. `function`: that those jobs call first, with fuel for what it does before instances
// may differ (compiler/docs/common_start.md); empty: the first whose arguments are all numbers,
// with fuel for one instruction. ENTRY_POINT_NOT_FOUND: there is none. INVALID_ARGUMENT, IO_ERROR:
// a binding.
Result<wasmburst::v1::Job> PrepareJob(const wasmburst::v1::Module& module,
                                      const std::vector<std::string>& bindings,
                                      const std::string& function);

}  // namespace wb::cli
