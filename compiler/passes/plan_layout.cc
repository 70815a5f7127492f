#include <algorithm>
#include <vector>

#include "compiler/base/check.h"
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

uint32_t WordsOf(const ir::Function& function) {
  return function.frame_words + (function.recursive ? uint32_t{abi::LINK_WORDS} : 0);
}

bool CostsNoSlots(const ir::Function& function) {
  return !function.bounded && function.stack_slots == 0;
}

// Words of the longest chain of functions without slots below each function. Such functions call
// one another along no cycle: a trampoline calls functions of the module, a part parts inside it.
std::vector<uint32_t> ChainsWithoutSlots(const ir::Program& program) {
  const uint32_t imported = program.module->imported_functions;
  std::vector<uint32_t> below(program.functions.size(), 0);
  std::vector<uint32_t> next_call(program.functions.size(), 0);
  std::vector<uint32_t> path;
  for (uint32_t root = 0; root < program.functions.size(); ++root) {
    path.push_back(root);
    while (!path.empty()) {
      WB_CHECK(path.size() <= program.functions.size());
      const uint32_t at = path.back();
      const std::vector<ir::Call>& calls = program.functions[at].calls;
      if (next_call[at] == calls.size()) {
        path.pop_back();
        continue;
      }
      const uint32_t callee = calls[next_call[at]].callee - imported;
      if (CostsNoSlots(program.functions[callee])) {
        if (next_call[callee] < program.functions[callee].calls.size()) {
          path.push_back(callee);
          continue;
        }
        below[at] = std::max(below[at], WordsOf(program.functions[callee]) + below[callee]);
      }
      ++next_call[at];
    }
  }
  return below;
}

// With recursion the stack's slots are the only bound. However they are spent, an activation takes
// no more words per slot, its link included, than the worst function. Functions that cost no slots
// stand between two that do, so their words are added to those of the one that calls them.
void PlanRecursiveFrames(const ir::Program& program, LaneLayout& layout) {
  const std::vector<uint32_t> below = ChainsWithoutSlots(program);
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[i];
    if (!CostsNoSlots(function)) continue;
    layout.frames_words = std::max(layout.frames_words, WordsOf(function) + below[i]);
  }
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const ir::Function& function = program.functions[i];
    if (function.bounded || function.stack_slots == 0) continue;
    const uint64_t words = 1024 * (uint64_t{WordsOf(function)} + below[i]);
    const auto per_1024 =
        static_cast<uint32_t>((words + function.stack_slots - 1) / function.stack_slots);
    layout.frame_words_per_1024_slots = std::max(layout.frame_words_per_1024_slots, per_1024);
  }
}

// At least 2 KiB: if one word of a span was written, the whole span is cleared.
uint32_t SpanShift(uint32_t pages) {
  uint32_t shift = 11;
  while ((uint64_t{32} << shift) < uint64_t{pages} * abi::PAGE_BYTES) ++shift;
  return shift;
}

// One that no row grows needs what it begins with.
std::vector<MemoryBounds> BoundsOf(const ir::Program& program) {
  std::vector<MemoryBounds> bounds;
  if (program.memories.size() < 2) return bounds;
  for (const ir::Memory& memory : program.memories) {
    bounds.push_back({memory.min_pages, memory.grows ? memory.max_pages : memory.min_pages});
  }
  return bounds;
}

}  // namespace

LaneLayout PlanLayout(const ir::Program& program) {
  bool recursive = false;
  for (const ir::Function& function : program.functions) {
    recursive = recursive || function.recursive;
  }
  LaneLayout layout;
  layout.stage_at = abi::LANE_STAGE;
  layout.memories = BoundsOf(program);
  layout.globals_at =
      layout.stage_at + program.stage_words + (layout.MemoryCount() - 1) * abi::RESERVE_WORDS;
  uint32_t end = layout.globals_at + program.globals_size + program.tables_size;
  if (program.group_global != ir::kNoGlobal) {
    layout.group_at = layout.globals_at + program.global_words[program.group_global];
  }
  if (program.shares_group_memory) {
    layout.group_memory_at = end;
    end += abi::GROUP_MEMORY_WORDS;
  }
  if (recursive) {
    PlanRecursiveFrames(program, layout);
  } else {
    layout.frames_at = end;
    layout.frames_words = DeepestChain(program);
    end += layout.frames_words;
  }
  if (!program.memories.empty()) layout.span_shift = SpanShift(program.memories[0].min_pages);
  layout.data_from = program.read_only.from();
  layout.data_end = program.read_only.end();
  layout.memory_at =
      (end + kMemoryAlignmentWords - 1) / kMemoryAlignmentWords * kMemoryAlignmentWords;
  return layout;
}

}  // namespace wb
