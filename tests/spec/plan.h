#pragma once

// Which instance every command of a script runs on. Pure: knows scripts and import names only.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/spec/script.h"

namespace wb::spec {

enum class Verdict : uint8_t {
  kOpen,  // not decided yet
  kPassed,
  kRefused,  // what the check needs is refused by name
  kFailed,
};

struct Outcome {
  Verdict verdict = Verdict::kOpen;
  std::string reason;  // of a refusal, as a group that many checks share; or what failed
};

// One instantiation of a module.
struct InstancePlan {
  size_t command = 0;  // the `module`, `assert_uninstantiable` or `assert_unlinkable` command
  // Import name -> the instance that was registered under it by then.
  std::map<std::string, size_t> imports_from;
};

// One lane program: instances of which each imports from another one, and what is asked of them.
struct ProgramPlan {
  struct Step {
    size_t command = 0;
    size_t instance = 0;  // index into Plan::instances
  };
  std::vector<size_t> instances;  // indices into Plan::instances, rising
  // In order: commands with a call action and, where there are several instances, those that
  // instantiate them (a single one is instantiated before the first step).
  std::vector<Step> steps;
  bool linked() const { return instances.size() > 1; }
};

struct Plan {
  std::vector<InstancePlan> instances;
  std::vector<ProgramPlan> programs;
  std::vector<size_t> decoder_checks;    // assert_invalid, assert_malformed
  std::vector<InstancePlan> unlinkable;  // assert_unlinkable
  std::vector<Outcome> outcomes;  // one per command; those that no engine is asked for are set
};

// The module names that the module in this file imports from.
using ImportsOf = std::function<std::vector<std::string>(const std::string& filename)>;

// Instances that import from one another make one program, wherever they stand in the script.
Plan MakePlan(const Script& script, const ImportsOf& imports_of);

}  // namespace wb::spec
