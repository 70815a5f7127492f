// Variables that live across safepoints, but never at the same time, become one. A frame is saved
// and restored as a whole, so its size, and the values a compiler must carry to every way out of
// the function, would otherwise grow with all safepoints together.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/passes/analysis/liveness.h"
#include "compiler/passes/passes.h"

namespace wb {
namespace {

using ir::ConstructKind;
using ir::Inst;
using ir::Op;
using ir::Var;

constexpr uint32_t kNoInterval = 0xffffffffu;

struct Interval {
  Var var = 0;
  uint32_t first = kNoInterval;
  uint32_t last = 0;
};

class FrameVariableSharing {
 public:
  explicit FrameVariableSharing(ir::Function& function)
      : function_(function), interval_of_(function.vars.size(), kNoInterval) {}

  void Run() {
    FindShareable();
    if (intervals_.size() < 2) return;
    Measure();
    Assign();
    Rename();
    std::erase_if(function_.frame_vars, [&](Var var) { return variable_of_[var] != var; });
  }

 private:
  // Locals with their initial values keep their variable; constants are literals in the text.
  void FindShareable() {
    std::vector<uint32_t> definitions(function_.vars.size(), 0);
    std::vector<bool> constant(function_.vars.size(), false);
    for (const Inst& inst : function_.insts) {
      ForEachDefinition(function_, inst, [&](Var var) { ++definitions[var]; });
      if (inst.op == Op::kConst) constant[inst.dst] = true;
    }
    for (Var var : function_.frame_vars) {
      const bool result = std::find(function_.results.begin(), function_.results.end(), var) !=
                          function_.results.end();
      if (var < function_.num_locals || result || (constant[var] && definitions[var] == 1))
        continue;
      interval_of_[var] = static_cast<uint32_t>(intervals_.size());
      intervals_.push_back({var, kNoInterval, 0});
    }
  }

  // From the first row that names the variable to the last; a row inside a loop that began after
  // the first one counts until the loop's end.
  void Measure() {
    std::vector<uint32_t> open_loops;
    for (uint32_t row = 0; row < function_.insts.size(); ++row) {
      const Inst& inst = function_.insts[row];
      if (inst.op == Op::kLoop) open_loops.push_back(static_cast<uint32_t>(inst.imm));
      auto touch = [&](Var var) {
        if (interval_of_[var] == kNoInterval) return;
        Interval& interval = intervals_[interval_of_[var]];
        if (interval.first == kNoInterval) interval.first = row;
        interval.last = std::max(interval.last, row);
        auto loop = std::lower_bound(open_loops.begin(), open_loops.end(), interval.first,
                                     [&](uint32_t construct, uint32_t first) {
                                       return function_.constructs[construct].begin < first;
                                     });
        if (loop != open_loops.end()) {
          interval.last = std::max(interval.last, function_.constructs[*loop].end);
        }
      };
      ForEachUse(function_, inst, touch);
      ForEachDefinition(function_, inst, touch);
      if (inst.op == Op::kEnd && function_.constructs[inst.imm].kind == ConstructKind::kLoop) {
        open_loops.pop_back();
      }
    }
  }

  // Linear scan: in the order of first rows, each takes a variable of its type that is free by
  // then.
  void Assign() {
    variable_of_.resize(function_.vars.size());
    for (Var var = 0; var < function_.vars.size(); ++var) variable_of_[var] = var;
    std::sort(intervals_.begin(), intervals_.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    struct Taken {
      uint32_t last;
      Var variable;
      bool operator<(const Taken& other) const { return last > other.last; }  // soonest on top
    };
    std::vector<Taken> taken[8][2];
    for (const Interval& interval : intervals_) {
      // A value that the frame makes canonical shares with its like only: other bits must stay.
      auto& heap = taken[static_cast<size_t>(function_.vars[interval.var])]
                        [function_.arithmetic[interval.var] ? 1 : 0];
      Var variable = interval.var;
      if (!heap.empty() && heap.front().last < interval.first) {
        std::pop_heap(heap.begin(), heap.end());
        variable = heap.back().variable;
        heap.pop_back();
      }
      variable_of_[interval.var] = variable;
      heap.push_back({interval.last, variable});
      std::push_heap(heap.begin(), heap.end());
    }
  }

  void Rename() {
    auto rename = [&](Var& var) {
      if (var != ir::kNoVar) var = variable_of_[var];
    };
    for (Inst& inst : function_.insts) {
      rename(inst.dst);
      rename(inst.a);
      rename(inst.b);
      rename(inst.c);
    }
    for (ir::Call& call : function_.calls) {
      for (Var& arg : call.args) rename(arg);
      for (Var& result : call.results) rename(result);
    }
    for (ir::CountedLoop& loop : function_.counted_loops) RenameLoop(loop);
    for (ir::StraightRun& run : function_.straight_runs) RenameLoop(run.round);
  }

  void RenameLoop(ir::CountedLoop& loop) {
    auto rename = [&](ir::LoopValue& value) {
      for (ir::LoopTerm& term : value.terms) term.var = variable_of_[term.var];
    };
    rename(loop.counter.from);
    rename(loop.counter.to);
    for (ir::AddressStream& stream : loop.streams) rename(stream.least);
    for (ir::KnownStart& start : loop.starts) start.var = variable_of_[start.var];
  }

  ir::Function& function_;
  std::vector<uint32_t>
      interval_of_;  // per variable: index into intervals_ (before they are sorted)
  std::vector<Interval> intervals_;
  std::vector<Var> variable_of_;
};

}  // namespace

void ShareFrameVariables(ir::Function& function) { FrameVariableSharing(function).Run(); }

}  // namespace wb
