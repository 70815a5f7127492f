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

// One instantiation of a module and the checks that follow one another on it: one lane program.
struct InstancePlan {
  size_t command = 0;         // the `module` or `assert_uninstantiable` command
  std::vector<size_t> calls;  // commands with a call action, in order
};

struct Plan {
  std::vector<InstancePlan> instances;
  std::vector<size_t> decoder_checks;  // assert_invalid, assert_malformed
  std::vector<size_t> unlinkable;      // assert_unlinkable
  std::vector<Outcome> outcomes;       // one per command; those that no engine is asked for are set
};

// The module names that the module in this file imports from.
using ImportsOf = std::function<std::vector<std::string>(const std::string& filename)>;

// Refuses by name what one lane program cannot answer: linking, and every check
// on an instance after another module may have been given its memory, table, globals or functions.
Plan MakePlan(const Script& script, const ImportsOf& imports_of);

}  // namespace wb::spec
