#include "scheduler/sandbox/policy.h"

#include <array>

namespace wb {
namespace {

constexpr std::array<std::string_view, 3> kIsolations = {"off", "auto", "required"};
constexpr std::array<std::string_view, kPolicies> kPolicyNames = {"compiler", "engine", "builder",
                                                                  "gpu"};

}  // namespace

std::string_view IsolationName(Isolation isolation) {
  return kIsolations[static_cast<size_t>(isolation)];
}

std::optional<Isolation> IsolationOf(std::string_view name) {
  for (size_t i = 0; i < kIsolations.size(); ++i) {
    if (kIsolations[i] == name) return static_cast<Isolation>(i);
  }
  return std::nullopt;
}

std::optional<Isolation> IsolationOf(uint32_t number) {
  if (number >= kIsolations.size()) return std::nullopt;
  return static_cast<Isolation>(number);
}

std::string_view SandboxPolicyName(SandboxPolicy policy) {
  return kPolicyNames[static_cast<size_t>(policy)];
}

std::optional<SandboxPolicy> SandboxPolicyOf(std::string_view name) {
  for (size_t i = 0; i < kPolicies; ++i) {
    if (kPolicyNames[i] == name) return static_cast<SandboxPolicy>(i);
  }
  return std::nullopt;
}

}  // namespace wb
