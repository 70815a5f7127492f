#include "compiler/passes/loops/loop_rows.h"

#include <algorithm>

namespace wb {

using ir::Inst;
using ir::Op;
using ir::Var;

namespace {

constexpr uint32_t kMostCopies = 4;  // between a sum and its variable

}  // namespace

LoopRows::LoopRows(const ir::Function& function, uint32_t construct,
                   const std::vector<KnownBits>& facts, const StableValues& stable,
                   const RoundTrace* trace)
    : function_(function),
      construct_(construct),
      loop_(function.constructs[construct]),
      facts_(facts),
      stable_(&stable),
      trace_(trace),
      once_(false),
      first_(is_trace() ? 0 : loop_.begin + 1),
      end_(is_trace() ? static_cast<uint32_t>(trace->steps.size()) : loop_.end) {
  simple_ = Measure();
  if (!simple_) return;
  FindSteps();
  Walk();
}

LoopRows::LoopRows(const ir::Function& function, uint32_t begin, uint32_t end,
                   const std::vector<KnownBits>& facts, const StableValues* stable)
    : function_(function),
      construct_(0),
      loop_(function.constructs[0]),
      facts_(facts),
      stable_(stable),
      trace_(nullptr),
      once_(true),
      first_(begin),
      end_(end),
      simple_(true) {
  WalkOnce();
}

const Inst& LoopRows::inst(uint32_t row) const {
  static const Inst kNothing{Op::kPay};
  if (!is_trace()) return function_.insts[row];
  const ir::RoundStep& step = trace_->steps[row];
  return step.kind == ir::RoundStep::Kind::kRow ? function_.insts[step.row] : kNothing;
}

// False: the loop has a second branch to its header, or one through a table.
bool LoopRows::NoteBranch(uint32_t row) {
  const Inst& inst = this->inst(row);
  if (inst.op == Op::kBrTable) {
    const std::vector<uint32_t>& targets = function_.br_tables[inst.imm];
    return std::find(targets.begin(), targets.end(), construct_) == targets.end();
  }
  if ((inst.op != Op::kBr && inst.op != Op::kBrIf) || inst.imm != construct_) return true;
  if (back_row_ != 0) return false;
  back_row_ = row;
  return true;
}

bool LoopRows::Measure() {
  const bool is_innermost = loop_.header_safepoint == loop_.last_safepoint;
  if (loop_.header_safepoint == 0 || is_innermost == is_trace()) return false;
  if (!is_trace() && loop_.end - loop_.begin > kMostRows) return false;
  rows_.resize(end() - first());
  uint32_t depth = 0;
  for (uint32_t row = first(); row < end(); ++row) {
    const Inst& inst = this->inst(row);
    const bool header = !is_trace() && row == first() + 1;  // the safepoint behind its pay
    if (!header && !IsRoundRow(inst.op)) return false;
    if (inst.op == Op::kPay) cost_ += inst.imm;
    if (inst.op == Op::kEnd) --depth;
    rows_[row - first()].depth = inst.op == Op::kElse ? depth - 1 : depth;
    if (inst.op == Op::kBlock || inst.op == Op::kIf) ++depth;
    if (depth > kMostDepth) return false;
    if (!NoteBranch(row)) return false;
    if (inst.dst != ir::kNoVar) {
      ++definitions_[inst.dst];
      definition_[inst.dst] = row;
    }
  }
  return back_row_ != 0;
}

// var = var + constant, directly or through copies.
std::optional<LoopRows::Step> LoopRows::StepAt(uint32_t row, Var var) const {
  uint32_t at = row;
  for (uint32_t copies = 0; copies < kMostCopies && inst(at).op == Op::kCopy; ++copies) {
    const Var from = inst(at).a;
    const auto defined = definition_.find(from);
    if (defined == definition_.end() || defined->second >= at) return std::nullopt;
    if (definitions_.at(from) != 1 || !IsDirect(defined->second)) return std::nullopt;
    at = defined->second;
  }
  const Inst& sum = inst(at);
  if (sum.op != Op::kNumeric || sum.b == ir::kNoVar) return std::nullopt;
  const bool adds = sum.opcode == Opcode::kI32Add;
  if (!adds && sum.opcode != Opcode::kI32Sub) return std::nullopt;
  const Var other = sum.a == var ? sum.b : sum.a;
  if ((sum.a != var && !(adds && sum.b == var)) || other == var) return std::nullopt;
  if (!facts_[other].has_value() || !facts_[other].is_constant()) return std::nullopt;
  return Step{row, adds ? facts_[other].ones : 0u - facts_[other].ones};
}

void LoopRows::FindSteps() {
  for (const auto& [var, count] : definitions_) {
    const uint32_t row = definition_[var];
    if (count != 1 || row > back_row_ || !IsDirect(row)) continue;
    if (const auto step = StepAt(row, var)) steps_[var] = *step;
  }
}

LinearForm LoopRows::ValueAtEntry(Var var) const {
  return stable_ == nullptr ? LinearForm::Entry(var) : stable_->AtEntry(var);
}

LinearForm LoopRows::ValueOf(uint32_t row, Var var) const {
  if (var == ir::kNoVar || function_.vars[var] != ValueType::kI32) return LinearForm::Unknown();
  if (const auto step = steps_.find(var); step != steps_.end()) {
    LinearForm form = LinearForm::Entry(var);
    form.per_round = static_cast<int32_t>(step->second.by);
    if (row > step->second.row) form.value.constant = step->second.by;
    const bool usable =
        form.per_round <= LinearForm::kMostPerRound && form.per_round >= -LinearForm::kMostPerRound;
    return usable ? form : LinearForm::Unknown();
  }
  const KnownBits& bits = facts_[var];
  if (bits.has_value() && bits.is_constant()) return LinearForm::Constant(bits.ones);
  if (definitions_.count(var) == 0) return ValueAtEntry(var);
  const auto value = values_.find(var);
  return value != values_.end() ? value->second.form : LinearForm::Of(bits);
}

LinearForm LoopRows::NumericResult(uint32_t row) const {
  const Inst& inst = this->inst(row);
  if (inst.b == ir::kNoVar) return LinearForm::Unknown();
  const LinearForm a = ValueOf(row, inst.a), b = ValueOf(row, inst.b);
  switch (inst.opcode) {
    case Opcode::kI32Add: return Plus(a, b);
    case Opcode::kI32Sub: return Minus(a, b);
    case Opcode::kI32Or:
      return AddsByOr(facts_[inst.a], facts_[inst.b]) ? Plus(a, b) : LinearForm::Unknown();
    case Opcode::kI32Mul:
      if (b.is_constant()) return Times(a, b.value.constant);
      return a.is_constant() ? Times(b, a.value.constant) : LinearForm::Unknown();
    case Opcode::kI32Shl:
      return b.is_constant() ? Times(a, 1u << (b.value.constant & 31u)) : LinearForm::Unknown();
    default: return LinearForm::Unknown();
  }
}

Interval LoopRows::IntervalAt(uint32_t row, Var var) const {
  Interval interval = Both(IntervalOf(facts_[var]), IntervalOf(ValueOf(row, var)));
  const auto value = values_.find(var);
  return value == values_.end() ? interval : Both(interval, value->second.interval);
}

// `var` has the same value where a row reads it and where a later row of the round does.
bool LoopRows::IsKept(uint32_t row, Var var, uint32_t later) const {
  if (facts_[var].has_value() && facts_[var].is_constant()) return true;
  const auto count = definitions_.find(var);
  if (count == definitions_.end()) return true;
  // Of a variable that is here each row so far that defines it has been seen, and the last is
  // noted.
  const auto value = values_.find(var);
  if (value != values_.end()) return value->second.row < row;
  const uint32_t defined = definition_.at(var);
  return count->second == 1 && (defined < row || defined >= later);
}

// `var` as a row reads it and `other` as a later row of the round does have the same value.
bool LoopRows::IsSame(uint32_t row, Var var, uint32_t later, Var other) const {
  if (!IsKept(row, var, later)) return false;
  if (var == other) return true;
  const LinearForm a = ValueOf(row, var), b = ValueOf(later, other);
  return a.is_constant() && b.is_constant() && a.value.constant == b.value.constant;
}

// The smaller or the larger of two, where the condition compares just these.
Interval LoopRows::SelectResult(uint32_t row) const {
  const Inst& select = inst(row);
  const auto test = values_.find(select.c);
  if (function_.vars[select.dst] != ValueType::kI32 || test == values_.end()) return {};
  const uint32_t at = test->second.row;
  const Inst& compare = inst(at);
  const auto order = compare.op == Op::kNumeric ? OrderOf(compare.opcode) : std::nullopt;
  if (!order) return {};
  const bool straight =
      IsSame(at, compare.a, row, select.a) && IsSame(at, compare.b, row, select.b);
  const bool swapped = IsSame(at, compare.a, row, select.b) && IsSame(at, compare.b, row, select.a);
  if (!straight && !swapped) return {};
  const Interval a = IntervalAt(row, select.a), b = IntervalAt(row, select.b);
  return order->smaller_first == straight ? SmallerOf(a, b, order->with_signs)
                                          : LargerOf(a, b, order->with_signs);
}

LinearForm LoopRows::ResultOf(uint32_t row) const {
  const Inst& inst = this->inst(row);
  LinearForm form;
  if (is_trace() && trace_->results[row].is_constant()) {
    return LinearForm::Constant(trace_->results[row].ones);
  }
  switch (inst.op) {
    case Op::kConst: form = LinearForm::Constant(static_cast<uint32_t>(inst.imm)); break;
    case Op::kCopy: form = ValueOf(row, inst.a); break;
    case Op::kNumeric: form = NumericResult(row); break;
    default: break;
  }
  return form.known ? form : LinearForm::Of(facts_[inst.dst]);
}

void LoopRows::Define(uint32_t row) {
  const Var var = inst(row).dst;
  if (function_.vars[var] != ValueType::kI32) return;
  if (!is_trace() && !is_once() && definitions_[var] != 1) return;
  Value value{ResultOf(row), row};
  if (inst(row).op == Op::kCopy) value.interval = IntervalAt(row, inst(row).a);
  if (inst(row).op == Op::kSelect) {
    value.interval = SelectResult(row);
    const LinearForm clamped = FormOf(value.interval);
    if (clamped.known) value.form = clamped;
  }
  values_[var] = value;
  if (!inside_.empty()) inside_.back().push_back(var);
}

void LoopRows::Walk() {
  for (uint32_t row = first(); row < end(); ++row) Visit(row);
}

void LoopRows::WalkOnce() {
  uint32_t depth = 0, direct = first();  // the last row that stands in no construct
  for (uint32_t row = first(); row < end(); ++row) {
    const Inst& inst = this->inst(row);
    if (inst.op == Op::kEnd) --depth;
    if (depth == 0 && inst.op != Op::kEnd) direct = row;
    rows_.emplace_back().depth = depth;
    Visit(row);
    const bool unknown = IsAccess(inst) && !a(row).known && direct != first();
    if (unknown || row - first() >= kMostRowsOnce) {
      end_ = direct;
      return;
    }
    if (inst.op == Op::kBlock || inst.op == Op::kIf) ++depth;
  }
}

uint32_t LoopRows::LowZeros(const ir::LoopValue& value) const {
  uint32_t zeros = KnownBits::Of(value.constant).low_zeros();
  for (const ir::LoopTerm& term : value.terms) {
    const uint32_t of_term = facts_[term.var].low_zeros() + KnownBits::Of(term.times).low_zeros();
    zeros = std::min({zeros, of_term, 32u});
  }
  return zeros;
}

void LoopRows::Visit(uint32_t row) {
  const Inst& inst = this->inst(row);
  Row& at = rows_[row - first()];
  at.a = ValueOf(row, inst.a);
  at.b = ValueOf(row, inst.b);
  if (const auto value = values_.find(inst.a); value != values_.end()) {
    at.defined = value->second.row;
  }
  if (inst.op == Op::kElse || inst.op == Op::kEnd) {
    for (const Var var : inside_.back()) values_.erase(var);
    inside_.pop_back();
  }
  if (inst.op == Op::kBlock || inst.op == Op::kIf || inst.op == Op::kElse) inside_.emplace_back();
  if (inst.dst == ir::kNoVar) return;
  Define(row);
  if (!once_) return;
  ++definitions_[inst.dst];
  definition_[inst.dst] = row;
}

}  // namespace wb
