#pragma once

// Where the fuel of a launch's instances went, by the calls that were under way, as an interpreter
// that profiles counts it (scheduler/trace).

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wb {

// A function or a loop of it, below what called or contains it.
struct FuelNode {
  // No function: node 0, which is what runs the job's steps.
  static constexpr uint32_t kNoFunction = 0xffffffffu;
  // No function either: below it are functions whose callers were not kept, since there were too
  // many different ones.
  static constexpr uint32_t kManyCallers = 0xfffffffeu;

  uint32_t parent = 0;              // comes before its children
  uint32_t function = kNoFunction;  // in the module's index space; synthetic functions follow it
  uint32_t loop = 0;                // byte offset of the loop in the module; 0: the function itself
  uint64_t calls = 0;               // of a function; of a loop: how often it was entered
  uint64_t fuel = 0;                // of its own instructions, without those of its children
  bool operator==(const FuelNode&) const = default;
};

// Empty: nothing was counted. The sum of all nodes is the fuel that the instances used.
using FuelProfile = std::vector<FuelNode>;

// Nodes with callers of their own; of others there are as many again at most.
inline constexpr size_t kMostFuelNodes = 16384;
// Calls and loops on one way. What is called below stands beside the last of them.
inline constexpr uint32_t kMostFuelDepth = 128;

}  // namespace wb
