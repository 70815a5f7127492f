#pragma once

// Relocatable cubins with no more calls on record than their linker needs. nvJitLink walks every
// path of calls that begins at a kernel, and a module's functions may have 10^11 of them
// (devices/docs/nvrtc.md). Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct FewerCalls {
  std::vector<std::string> cubins;
  uint64_t stack_bytes = 0;  // what the linked kernel has to ask for, by all calls
};

// The same code; of the calls on record those of DeepestCalls are left (call_tree.h). Nothing where
// that is not sure to mean the same: there is not one kernel, functions call themselves, or a cubin
// holds what this does not know.
std::optional<FewerCalls> WithFewerCalls(std::vector<std::string> cubins);

// Whether the one kernel of a linked cubin asks for just so much.
bool AsksForStack(std::string_view linked, uint64_t stack_bytes);

}  // namespace wb
