#pragma once

// Sandbox: what a process gives up before it touches what a stranger's module shaped. Prepared
// first, since that needs memory and files; then put in force, which needs neither.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/base/unique_fd.h"
#include "scheduler/sandbox/sandbox_plan.h"

namespace wb {

struct FilterStep;  // system_calls.h

class Sandbox {
 public:
  // Restricts nothing.
  Sandbox() = default;
  // As much of the plan as the kernel has. CONFIG_INVALID: it lacks something, and the plan
  // requires all. IO_ERROR, MACHINE_FAULT.
  static Result<Sandbox> Prepare(const SandboxPlan& plan);

  // Whether this kernel and this build have any of it.
  static bool IsPossible();

  // The calling process and all that it starts are restricted from here on, for good. It must have
  // one thread. Calls nothing but the system, so it may be called in a child that shares its
  // parent's memory. 0, or the errno of what failed.
  int Enter() const;

  bool restricts() const { return restricts_; }
  const std::string& in_force() const { return in_force_; }  // "seccomp, Landlock 7"

 private:
  bool restricts_ = false;
  UniqueFd ruleset_;                                 // not ok: without Landlock
  const std::vector<FilterStep>* filter_ = nullptr;  // null: without seccomp
  std::string in_force_ = "nothing";
};

}  // namespace wb
