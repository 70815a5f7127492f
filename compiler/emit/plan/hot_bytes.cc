#include "compiler/emit/plan/hot_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/passes/analysis/loop_depths.h"

namespace wb {
namespace {

using ir::Function;
using ir::Inst;
using ir::Op;

// Less than this is read in the first place where caches have it, and gains nothing.
constexpr uint64_t kLeastBytes = 64;
// Of the weight of all changing accesses, hot ones have so much.
constexpr uint64_t kLeastShare = 2;  // a half
// More ranges than this are more tables than fit.
constexpr size_t kMostRanges = 4096;
// Where nothing is known: not at a border of anything.
constexpr HotBytes kOfTests = {8, 2048};

struct WeightedRange {
  uint64_t from = 0;
  uint64_t end = 0;
  uint64_t weight = 0;
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
      *all += LoopDepths::WeightOf(loops);
      const bool fits = range != nullptr && range->end - range->from >= kLeastBytes &&
                        range->end - range->from <= kMostHotBytes;
      if (fits) ranges.push_back({range->from, range->end, LoopDepths::WeightOf(loops)});
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
