#pragma once

// Which processes are restricted, and how much a process must be. Pure.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wb {

// The setting engine.isolation. kAuto: what the kernel has. kRequired: all of it, or the process
// does not start.
enum class Isolation : uint8_t { kOff, kAuto, kRequired };
std::string_view IsolationName(Isolation isolation);          // "auto"
std::optional<Isolation> IsolationOf(std::string_view name);  // nullopt: no such word
std::optional<Isolation> IsolationOf(uint32_t number);        // of the enumeration

// The columns of system_calls.def and system_paths.def.
enum class SandboxPolicy : uint8_t {
  kCompiler,  // a compiler, a linker or a checker: reads a stranger's text, writes its own folder
  kEngine,    // runs kernels or bytecode, and starts nothing
  kBuilder,   // an engine host that starts compilers; its filter holds for them too
  kGpu,       // runs kernels by a driver that has ways of its own, and starts nothing
};
inline constexpr size_t kPolicies = 4;
std::string_view SandboxPolicyName(SandboxPolicy policy);  // "engine"
std::optional<SandboxPolicy> SandboxPolicyOf(std::string_view name);

}  // namespace wb
