#include "compiler/emit/plan/skip_plan.h"

#include <algorithm>

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::Op;

class SkipPlanner {
 public:
  SkipPlanner(const ir::Function& function, bool resumable)
      : function_(function), resumable_(resumable), branches_(function.constructs.size(), 0) {}

  std::vector<bool> Run() {
    std::vector<uint32_t> open = {0};
    std::vector<bool> leaves(branches_.size(), false);
    for (uint32_t row = 0; row < function_.insts.size(); ++row) {
      const Inst& inst = function_.insts[row];
      const uint32_t index = static_cast<uint32_t>(inst.imm);
      switch (inst.op) {
        case Op::kBlock:
        case Op::kLoop:
        case Op::kIf: open.push_back(index); break;
        case Op::kEnd: open.pop_back(); break;
        case Op::kSafepoint:
        case Op::kAsk:
        case Op::kMemoryGrow: safepoint_ = index; break;
        case Op::kCall: safepoint_ = std::max(safepoint_, function_.calls[index].safepoint); break;
        case Op::kBr: ++branches_[index]; break;
        case Op::kBrIf:
          ++branches_[index];
          if (open.back() == index && Leaves(index, row)) leaves[index] = true;
          break;
        case Op::kBrTable:
          for (uint32_t target : function_.br_tables[index]) ++branches_[target];
          break;
        default: break;
      }
    }
    for (size_t i = 0; i < leaves.size(); ++i) leaves[i] = leaves[i] && branches_[i] == 1;
    return leaves;
  }

 private:
  // Rows of a straight run stand in the text twice: braces that one form opens end in it.
  bool Leaves(uint32_t index, uint32_t row) const {
    const Construct& block = function_.constructs[index];
    if (block.kind != ConstructKind::kBlock) return false;
    if (resumable_ && safepoint_ < block.last_safepoint) return false;
    const auto& runs = function_.straight_runs;
    auto run = std::upper_bound(
        runs.begin(), runs.end(), row,
        [](uint32_t at, const ir::StraightRun& straight) { return at < straight.begin; });
    if (run == runs.begin()) return true;
    --run;
    return row >= run->end || run->begin <= block.begin;
  }

  const ir::Function& function_;
  const bool resumable_;
  std::vector<uint32_t> branches_;  // to each construct
  uint32_t safepoint_ = 0;          // the last one so far
};

}  // namespace

std::vector<bool> PlanSkips(const ir::Function& function, bool resumable) {
  return SkipPlanner(function, resumable).Run();
}

}  // namespace wb
