#pragma once

// What a process needs of the file system: the rows of system_paths.def for its policy, and what
// its plan and its environment name. Looks at names of files, and changes nothing.

#include <string>
#include <vector>

#include "scheduler/sandbox/landlock.h"
#include "scheduler/sandbox/policy.h"

namespace wb {

struct SandboxPlan {
  SandboxPolicy policy = SandboxPolicy::kCompiler;
  Isolation isolation = Isolation::kAuto;
  std::string own_folder;             // it may be written; empty: there is none
  std::vector<std::string> programs;  // files, each with its libraries beside it
  std::vector<std::string> folders;   // to read
};

std::vector<AccessRule> RulesOf(const SandboxPlan& plan);

}  // namespace wb
