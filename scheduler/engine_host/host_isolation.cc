#include "scheduler/engine_host/host_isolation.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "scheduler/base/system_error.h"
#include "scheduler/devices/compile/own_program.h"
#include "scheduler/sandbox/sandbox.h"

namespace wb {

std::vector<std::string> WordsOf(const HostIsolation& isolation) {
  if (isolation.isolation == Isolation::kOff) return {};
  std::vector<std::string> words = {std::string(IsolationName(isolation.isolation)),
                                    std::string(SandboxPolicyName(isolation.policy)),
                                    isolation.folder};
  words.insert(words.end(), isolation.programs.begin(), isolation.programs.end());
  return words;
}

Result<std::string> IsolateHost(const std::vector<std::string>& words) {
  if (words.empty()) return std::string();
  const auto isolation = IsolationOf(words[0]);
  const auto policy = words.size() < 3 ? std::nullopt : SandboxPolicyOf(words[1]);
  if (!isolation || !policy) {
    return Status(Reason::kInternal, "The engine host was told nonsense about its isolation.");
  }
  SandboxPlan plan = {*policy, *isolation, words[2], {words.begin() + 3, words.end()}, {}};
  if (!plan.own_folder.empty()) ::setenv("TMPDIR", plan.own_folder.c_str(), 1);
  for (const char* name : {"wasmburst-clang", "wasmburst-nvrtc"}) {
    if (auto own = OwnProgram(name)) plan.programs.push_back(*std::move(own));
  }
  WB_ASSIGN(const Sandbox sandbox, Sandbox::Prepare(plan));
  if (const int error = sandbox.Enter(); error != 0) {
    return SystemError("The engine host cannot be isolated", error);
  }
  return sandbox.in_force();
}

}  // namespace wb
