#pragma once

// KernelBuild: which build of a module's kernel runs an instance.

#include <cstdint>
#include <string_view>

namespace wb {

enum class KernelBuild : uint8_t {
  kNone,         // nothing ran it
  kInterpreted,  // no build: the interpreter
  kQuick,        // compiled sooner and slower, while the full build is under way
  kFull,
};

constexpr std::string_view KernelBuildName(KernelBuild build) {
  switch (build) {
    case KernelBuild::kNone: return "none";
    case KernelBuild::kInterpreted: return "interpreted";
    case KernelBuild::kQuick: return "quick";
    case KernelBuild::kFull: return "full";
  }
  return "none";
}

}  // namespace wb
