#include <algorithm>
#include <vector>

#include "compiler/passes/passes.h"

namespace wb {
namespace {

constexpr uint32_t kMemoryAlignmentWords = 1024;

// The deepest chain of frames, in words. Without recursion it is a longest path over the call
// graph; functions are visited callees first by following pending callees on a stack.
uint32_t DeepestChain(const ir::Program& program) {
  const uint32_t imported = program.module->imported_functions;
  std::vector<uint32_t> chain(program.functions.size(), 0);
  std::vector<uint32_t> next_call(program.functions.size(), 0);
  std::vector<uint32_t> path;
  uint32_t deepest = 0;
  for (uint32_t root = 0; root < program.functions.size(); ++root) {
    if (!program.functions[root].bounded && chain[root] == 0) path.push_back(root);
    while (!path.empty()) {
      const uint32_t at = path.back();
      const ir::Function& function = program.functions[at];
      if (next_call[at] < function.calls.size()) {
        const ir::Call& call = function.calls[next_call[at]++];
        uint32_t callee = call.callee - imported;
        if (call.safepoint != 0 && next_call[callee] == 0 && chain[callee] == 0) {
          path.push_back(callee);
        }
        continue;
      }
      uint32_t below = 0;
      for (const ir::Call& call : function.calls) {
        if (call.safepoint != 0) below = std::max(below, chain[call.callee - imported]);
      }
      chain[at] = function.frame_words + below;
      deepest = std::max(deepest, chain[at]);
      path.pop_back();
    }
  }
  return deepest;
}

// With recursion the stack budget is the only bound: however it is spent, an activation takes no
// more words per slot, its link included, than the worst function.
uint32_t FramesOfWholeBudget(const ir::Program& program) {
  uint64_t words = 0;
  for (const ir::Function& function : program.functions) {
    if (function.bounded) continue;
    const uint64_t slots = function.stack_slots;
    const uint64_t frame =
        function.frame_words + (function.recursive ? uint32_t{abi::LINK_WORDS} : 0u);
    words = std::max(words, (frame * kMaxStackSlots + slots - 1) / slots);
  }
  return static_cast<uint32_t>(words);
}

}  // namespace

LaneLayout PlanLayout(const ir::Program& program) {
  bool recursive = false;
  for (const ir::Function& function : program.functions) {
    recursive = recursive || function.recursive;
  }
  LaneLayout layout;
  layout.stage_at = abi::LANE_STAGE;
  layout.globals_at = layout.stage_at + program.stage_words;
  layout.frames_at = layout.globals_at + program.globals_size;
  layout.frames_words = recursive ? FramesOfWholeBudget(program) : DeepestChain(program);
  uint32_t end = layout.frames_at + layout.frames_words;
  layout.memory_at =
      (end + kMemoryAlignmentWords - 1) / kMemoryAlignmentWords * kMemoryAlignmentWords;
  return layout;
}

}  // namespace wb
