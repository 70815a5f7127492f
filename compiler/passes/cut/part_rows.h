#pragma once

// One of the functions that a large function becomes: the rest of it, or a part. Takes over rows of
// the large function and names its own variables, constructs and side structs.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/cut/part_border.h"
#include "compiler/passes/rows/row_emitter.h"

namespace wb {

class PartRows {
 public:
  // What stays of `whole`: its variables keep their numbers.
  explicit PartRows(const ir::Function& whole);
  // A part, which is function `index` and ends before row `end` of `whole`.
  PartRows(const ir::Function& whole, uint32_t index, const RowRange& cut, PartBorder border,
           const Constants& constants);

  uint32_t end() const { return end_; }
  const PartBorder& border() const { return border_; }

  // `construct`: that of `whole` around the row.
  void Take(const ir::Inst& inst, uint32_t construct);

  // A ladder whose labels begin here and whose rows become a part: what stands behind a label says
  // which it is and goes to the end of the last one, where the part is called.
  void OpenLadder(const RowRange& cut, uint32_t construct);
  void ReachLabel(uint32_t label);

  // Calls a part whose rows, the first of them at byte `offset`, stood here. Goes on where the part
  // was left to.
  void CallPart(const ir::Function& part, const PartBorder& border, uint32_t offset,
                uint32_t construct);

  ir::Function Finish();

 private:
  // Of a ladder whose part is called.
  struct Ladder {
    std::vector<uint32_t> labels;  // of `whole`
    uint32_t behind = 0;           // a block of its own around them
    ir::Var label = ir::kNoVar;    // position of the one that was reached
  };

  void TakeParameters();
  void EnterLabels();
  void SetZero(ir::Var own);
  ir::Var Own(ir::Var var);
  uint32_t OwnConstruct(uint32_t construct) const;
  bool HasConstruct(uint32_t construct) const { return constructs_.contains(construct); }
  void TakeStraight(const ir::Inst& inst);
  uint64_t TakeSideStruct(const ir::Inst& inst);
  void Open(const ir::Inst& inst, uint32_t construct);
  // To constructs of `whole`. One outside the part is left to by returning its number.
  void Branch(uint32_t target);
  void BranchIf(ir::Var condition, uint32_t target);
  // Inside `parent`, a construct of its own. `first`: one of its own that stands before `targets`.
  void BranchTable(ir::Var index, const std::vector<uint32_t>& targets, uint32_t parent,
                   std::optional<uint32_t> first = std::nullopt);
  void SayExit(uint32_t target);
  void GoOn(ir::Var exit, const PartBorder& border, uint32_t construct);

  const ir::Function& whole_;
  const bool is_rest_;
  const uint32_t end_;
  const PartBorder border_;
  RowEmitter rows_;
  std::unordered_map<ir::Var, ir::Var> vars_;          // of a part
  std::unordered_map<uint32_t, uint32_t> constructs_;  // those open or closed here
  ir::Var exit_ = ir::kNoVar;
  std::vector<Ladder> ladders_;  // open ones, the innermost last
};

}  // namespace wb
