#include "compiler/passes/loops/straight_runs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/passes/loops/address_streams.h"
#include "compiler/passes/loops/loop_rows.h"
#include "compiler/passes/loops/round_trace.h"
#include "compiler/passes/loops/stable_values.h"

namespace wb {
namespace {

using ir::Construct;
using ir::ConstructKind;
using ir::Inst;
using ir::LoopValue;
using ir::Op;
using ir::StraightRun;

// A run has at least so many accesses whose tests it saves, and so many for each stream that its
// head asks of.
constexpr size_t kLeastTests = 8;
constexpr size_t kLeastTestsOfStream = 2;

// The same sum in variables that never change.
std::optional<LoopValue> InStable(const LoopValue& value, const StableValues& stable) {
  LinearForm sum = LinearForm::Constant(value.constant);
  for (const ir::LoopTerm& term : value.terms) {
    sum = Plus(sum, Times(stable.AtEntry(term.var), term.times));
  }
  return sum.exact() ? std::optional(sum.value) : std::nullopt;
}

bool IsSame(const std::optional<LoopValue>& a, const LoopValue& b) {
  return a && a->constant == b.constant && a->terms == b.terms;
}

class RunFinder {
 public:
  RunFinder(const ir::Function& function, bool is_called, const std::vector<KnownBits>& facts,
            LoopBudget* budget)
      : function_(function), is_called_(is_called), facts_(facts), budget_(budget) {}

  std::vector<StraightRun> Run() {
    FindWhole();
    uint32_t begin = 0;  // of the sequence of rows that may be runs
    const auto rows = static_cast<uint32_t>(function_.insts.size());
    for (uint32_t row = 0; row < rows; ++row) {
      const Inst& inst = function_.insts[row];
      if (IsWholeRow(inst)) continue;
      if (Opens(inst.op) && whole_[inst.imm]) {
        row = function_.constructs[inst.imm].end;
        continue;
      }
      Split(begin, row);
      row = Pass(row);
      begin = row + 1;
    }
    Split(begin, rows);
    return std::move(runs_);
  }

 private:
  static bool Opens(Op op) { return op == Op::kBlock || op == Op::kLoop || op == Op::kIf; }
  // It may stand in a run, in no construct there.
  static bool IsWholeRow(const Inst& inst) {
    return inst.op == Op::kBrIf || (inst.op != Op::kTrap && IsStraightRow(inst.op));
  }

  // The blocks and ifs of which every row may stand in a run.
  void FindWhole() {
    whole_.assign(function_.constructs.size(), true);
    std::vector<uint32_t> heights(function_.constructs.size(), 1);
    std::vector<uint32_t> open;
    for (const Inst& inst : function_.insts) {
      if (inst.op == Op::kEnd) {
        const uint32_t closed = open.back();
        open.pop_back();
        const Construct& construct = function_.constructs[closed];
        if (heights[closed] > LoopRows::kMostDepth) whole_[closed] = false;
        if (construct.end - construct.begin >= LoopRows::kMostRowsOnce) whole_[closed] = false;
        if (open.empty()) continue;
        whole_[open.back()] = whole_[open.back()] && whole_[closed];
        heights[open.back()] = std::max(heights[open.back()], heights[closed] + 1);
        continue;
      }
      if (Opens(inst.op)) open.push_back(static_cast<uint32_t>(inst.imm));
      if (!open.empty() && !IsRoundRow(inst.op)) whole_[open.back()] = false;
    }
  }

  // A row that stands in no run; of a loop whose rounds have one test the last.
  uint32_t Pass(uint32_t row) {
    const Inst& inst = function_.insts[row];
    if (inst.op == Op::kLoop && function_.CountedLoopOf(inst.imm) != nullptr) {
      return function_.constructs[inst.imm].end;
    }
    if (Opens(inst.op)) {
      around_.push_back(static_cast<uint32_t>(inst.imm));
      if (IsLoop(around_.back())) ++loops_around_;
    }
    if (inst.op == Op::kEnd) {
      if (IsLoop(around_.back())) --loops_around_;
      around_.pop_back();
    }
    return row;
  }

  // The row behind this one, or behind the construct that begins here.
  uint32_t Behind(uint32_t row) const {
    const Inst& inst = function_.insts[row];
    return Opens(inst.op) ? function_.constructs[inst.imm].end + 1 : row + 1;
  }
  size_t AccessesOf(uint32_t begin, uint32_t end) const {
    return static_cast<size_t>(
        std::count_if(function_.insts.begin() + begin, function_.insts.begin() + end, IsAccess));
  }

  bool IsLoop(uint32_t construct) const {
    return function_.constructs[construct].kind == ConstructKind::kLoop;
  }
  bool RunsOften() const { return is_called_ || loops_around_ != 0; }

  // Rows of one sequence, as one run or several.
  void Split(uint32_t begin, uint32_t end) {
    if (!RunsOften()) return;
    size_t left = AccessesOf(begin, end);
    while (left >= kLeastTests) {
      while (AccessesOf(begin, Behind(begin)) == 0) begin = Behind(begin);
      const LoopRows rows(function_, begin, end, facts_, &Stable());
      left -= AccessesOf(begin, rows.end());
      Take(rows);
      begin = rows.end();
    }
  }

  const StableValues& Stable() {
    if (!stable_) stable_.emplace(function_, facts_);
    return *stable_;
  }

  void Take(const LoopRows& rows) {
    uint32_t end = rows.first();
    for (uint32_t row = end; row < rows.end(); row = Behind(row)) {
      if (AccessesOf(row, Behind(row)) != 0) end = Behind(row);
    }
    if (end - rows.first() > budget_->straight_rows) return;
    StraightRun run{rows.first(), end, around_.back(), {}};
    ir::CountedLoop& round = run.round;
    round.construct = static_cast<uint32_t>(function_.constructs.size() + runs_.size());
    round.once = true;
    round.rounds = 1;
    FindStreams(rows, round);
    FindSlots(rows, round);
    if (!Pays(round) || !SayByReadVariables(rows, round)) return;
    budget_->straight_rows -= end - rows.first();
    runs_.push_back(std::move(run));
  }

  bool Pays(const ir::CountedLoop& round) const {
    const auto tests = static_cast<size_t>(std::count_if(
        round.accesses.begin(), round.accesses.end(),
        [&](const ir::LoopAccess& access) { return !function_.IsInside(access.at); }));
    return tests >= kLeastTests && tests >= kLeastTestsOfStream * round.streams.size();
  }

  // A variable that never changes may not live where the run begins, unless the run reads it. So
  // each stream's lowest address becomes a sum of variables that the run reads.
  bool SayByReadVariables(const LoopRows& rows, ir::CountedLoop& round) const {
    const LoopRows direct(function_, rows.first(), rows.end(), facts_, nullptr);
    if (direct.end() != rows.end()) return false;
    std::vector<bool> said(round.streams.size(), false);
    for (const ir::LoopAccess& access : round.accesses) {
      LoopValue& least = round.streams[access.stream].least;
      const LinearForm& address = direct.a(access.at);
      if (said[access.stream] || access.offset != function_.insts[access.at].imm) continue;
      if (!address.known || !IsSame(InStable(address.value, *stable_), least)) continue;
      least = address.value;
      said[access.stream] = true;
    }
    return std::all_of(said.begin(), said.end(), [](bool is_said) { return is_said; });
  }

  const ir::Function& function_;
  const bool is_called_;
  const std::vector<KnownBits>& facts_;
  LoopBudget* const budget_;
  std::optional<StableValues> stable_;
  std::vector<bool> whole_;             // by construct
  std::vector<uint32_t> around_ = {0};  // constructs around the row
  size_t loops_around_ = 0;             // of these: a nest may be as deep as its module has bytes
  std::vector<StraightRun> runs_;
};

}  // namespace

std::vector<StraightRun> FindStraightRuns(const ir::Function& function, bool is_called,
                                          const std::vector<KnownBits>& facts, LoopBudget* budget) {
  if (function.vars.size() > StableValues::kMostVariables) return {};
  return RunFinder(function, is_called, facts, budget).Run();
}

}  // namespace wb
