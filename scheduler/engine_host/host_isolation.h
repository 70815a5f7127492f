#pragma once

// What an engine host gives up at its start, as the daemon tells it: in its arguments, because it
// must be in force before the host has threads or has read a message.

#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/sandbox/policy.h"

namespace wb {

struct HostIsolation {
  Isolation isolation = Isolation::kOff;
  SandboxPolicy policy = SandboxPolicy::kEngine;
  std::string folder;  // for its compiles; empty: it has none
  std::vector<std::string>
      programs;  // that the configuration names; names without a path count not
};

// Empty where isolation is off.
std::vector<std::string> WordsOf(const HostIsolation& isolation);

// In the host. Returns what is in force, in words; empty where isolation is off. Errors:
// CONFIG_INVALID, where not all that is required can be had; those of Sandbox::Prepare.
Result<std::string> IsolateHost(const std::vector<std::string>& words);

}  // namespace wb
