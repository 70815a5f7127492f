#pragma once

// Effort: what a build of a module's kernel is to take. KernelBuild: which build runs an instance.

#include <cstdint>
#include <string_view>

namespace wb {

// How much a build is to take; its code means the same. kQuick gives slower code sooner. kBest
// gives the fastest, and takes longer than most modules are worth: it is for those that keep a
// device busy.
enum class Effort : uint8_t { kFull, kQuick, kBest };
inline constexpr uint8_t kEfforts = 3;

enum class KernelBuild : uint8_t {
  kNone,         // nothing ran it
  kInterpreted,  // no build: the interpreter
  kQuick,        // compiled sooner and slower, while the full build is under way
  kFull,         // or a best one, which takes its place and is no news to a job
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
