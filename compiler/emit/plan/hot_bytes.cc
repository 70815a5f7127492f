#include "compiler/emit/plan/hot_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/wasm/module.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Function;
using ir::Inst;
using ir::Op;

// What a loop multiplies the weight of its rows by, and how many loops within one another count.
constexpr uint64_t kLoopRounds = 8;
constexpr uint32_t kMostLoops = 5;
// How often weights go from callers to callees.
constexpr uint32_t kCallRounds = 4;
// Less than this is read in the first place where caches have it, and gains nothing.
constexpr uint64_t kLeastBytes = 64;
// Of the weight of all changing accesses, hot ones have so much.
constexpr uint64_t kLeastShare = 2;  // a half
// More ranges than this are more tables than fit.
constexpr size_t kMostRanges = 4096;
// Where nothing is known: not at a border of anything.
constexpr HotBytes kOfTests = {8, 2048};

uint64_t WeightOf(uint32_t loops) {
  uint64_t weight = 1;
  for (uint32_t i = 0; i < std::min(loops, kMostLoops); ++i) weight *= kLoopRounds;
  return weight;
}

struct WeightedRange {
  uint64_t from = 0;
  uint64_t end = 0;
  uint64_t weight = 0;
};

// Loops around the rows of functions, those around calls of them included.
class LoopDepths {
 public:
  explicit LoopDepths(const ir::Program& program)
      : program_(program), around_(program.functions.size(), 0) {
    for (uint32_t round = 0; round < kCallRounds; ++round) {
      for (size_t i = 0; i < around_.size(); ++i) PassOn(i);
    }
  }

  // Calls visit(row, loops) for each row of a function.
  template <typename Visit>
  void Walk(size_t function, const Visit& visit) const {
    const Function& of = program_.functions[function];
    uint32_t loops = around_[function];
    for (uint32_t row = 0; row < of.insts.size(); ++row) {
      const Inst& inst = of.insts[row];
      if (inst.op == Op::kLoop) ++loops;
      if (inst.op == Op::kEnd && of.constructs[inst.imm].kind == ConstructKind::kLoop) --loops;
      visit(row, loops);
    }
  }

 private:
  void PassOn(size_t function) {
    Walk(function, [&](uint32_t row, uint32_t loops) {
      const Inst& inst = program_.functions[function].insts[row];
      if (inst.op != Op::kCall) return;
      const uint32_t callee = program_.functions[function].calls[inst.imm].callee;
      uint32_t& around = around_[callee - program_.module->imported_functions];
      around = std::max(around, std::min(loops, kMostLoops));
    });
  }

  const ir::Program& program_;
  std::vector<uint32_t> around_;  // by function
};

// Lanes are at one address where a row always comes to the same; then memory serves all at once.
bool Changes(const Inst& inst, const Function::AccessRange* range) {
  return range == nullptr || range->end - range->from > FactsOf(inst.opcode).bytes;
}

// The ranges that fit into hot bytes, and the weight of all accesses that change.
std::vector<WeightedRange> FindRanges(const ir::Program& program, uint64_t* all) {
  const LoopDepths depths(program);
  std::vector<WeightedRange> ranges;
  for (size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[i];
    depths.Walk(i, [&](uint32_t row, uint32_t loops) {
      const Inst& inst = function.insts[row];
      if (inst.op != Op::kLoad && inst.op != Op::kStore) return;
      const Function::AccessRange* range = function.RangeAt(row);
      if (!Changes(inst, range)) return;
      *all += WeightOf(loops);
      const bool fits = range != nullptr && range->end - range->from >= kLeastBytes &&
                        range->end - range->from <= kMostHotBytes;
      if (fits) ranges.push_back({range->from, range->end, WeightOf(loops)});
    });
  }
  return ranges;
}

// Each range once, with the weight of all accesses to it, by where they begin.
std::vector<WeightedRange> Joined(std::vector<WeightedRange> ranges) {
  const auto place = [](const WeightedRange& range) { return std::pair(range.from, range.end); };
  std::sort(ranges.begin(), ranges.end(),
            [&](const WeightedRange& a, const WeightedRange& b) { return place(a) < place(b); });
  std::vector<WeightedRange> joined;
  for (const WeightedRange& range : ranges) {
    if (!joined.empty() && place(joined.back()) == place(range)) {
      joined.back().weight += range.weight;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

// Of the ranges that fit together from one of them on, those of the greatest weight.
WeightedRange Heaviest(const std::vector<WeightedRange>& ranges) {
  WeightedRange best;
  for (size_t first = 0; first < ranges.size(); ++first) {
    if (first != 0 && ranges[first].from == ranges[first - 1].from) continue;
    const uint64_t from = ranges[first].from & ~uint64_t{3};
    WeightedRange held = {from, from, 0};
    for (size_t i = first; i < ranges.size() && ranges[i].from < from + kMostHotBytes; ++i) {
      if (ranges[i].end > from + kMostHotBytes) continue;
      held.weight += ranges[i].weight;
      held.end = std::max(held.end, ranges[i].end);
    }
    if (held.weight > best.weight) best = held;
  }
  return best;
}

}  // namespace

HotBytes HotBytesOf(const ir::Program& program, const CompileOptions& options) {
  // One memory, of which a lane's part is its own.
  const bool may_have = program.memories.size() == 1 && !program.meets &&
                        !program.shares_group_memory && program.memories[0].min_pages != 0;
  if (!may_have) return {};
  uint64_t all = 0;
  const std::vector<WeightedRange> ranges = Joined(FindRanges(program, &all));
  const WeightedRange best = ranges.size() <= kMostRanges ? Heaviest(ranges) : WeightedRange();
  if (best.weight != 0 && best.weight * kLeastShare >= all) {
    const uint64_t bytes = (best.end - best.from + 3) & ~uint64_t{3};
    return {static_cast<uint32_t>(best.from), static_cast<uint32_t>(bytes)};
  }
  return options.layout == MemoryLayout::kHot ? kOfTests : HotBytes();
}

}  // namespace wb
