#pragma once

// Which imports of a job are bound to its caller. Pure.

#include <map>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb::cli {

// The types of the results of each function that a module imports, by MODULE.NAME.
using ResultTypes = std::map<std::string, std::vector<wasmburst::v1::ValueType>>;
// Of all modules of a job. An import that two of them have with other results is left out.
ResultTypes ResultTypesOf(const std::vector<wasmburst::v1::Module>& modules);

// Whether an import of the job is bound to its caller.
bool BindsToHost(const wasmburst::v1::Job& job);

// Adds a binding to the caller for each function that a module of the job imports and nothing
// gives: no binding, no module of Job.linked, and not the daemon (WASI, wasmburst).
void BindRestToHost(const std::vector<wasmburst::v1::Module>& modules, wasmburst::v1::Job* job);

}  // namespace wb::cli
