#include "compiler/passes/loops/loop_counter.h"

#include <algorithm>
#include <utility>

namespace wb {
namespace {

using ir::Inst;
using ir::LoopCounter;
using ir::LoopTest;
using ir::Op;

constexpr uint32_t kSign = 0x80000000u;
constexpr uint32_t kMostRowsBefore = 200;  // that StartOf looks at

// a OP b, where the loop goes on.
enum class Relation : uint8_t {
  kNone,
  kDiffer,
  kEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual
};

struct Comparison {
  Relation relation = Relation::kNone;
  bool with_signs = false;
};

Comparison ComparisonOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::kI32Ne: return {Relation::kDiffer, false};
    case Opcode::kI32Eq: return {Relation::kEqual, false};
    case Opcode::kI32LtU: return {Relation::kLess, false};
    case Opcode::kI32LtS: return {Relation::kLess, true};
    case Opcode::kI32LeU: return {Relation::kLessEqual, false};
    case Opcode::kI32LeS: return {Relation::kLessEqual, true};
    case Opcode::kI32GtU: return {Relation::kGreater, false};
    case Opcode::kI32GtS: return {Relation::kGreater, true};
    case Opcode::kI32GeU: return {Relation::kGreaterEqual, false};
    case Opcode::kI32GeS: return {Relation::kGreaterEqual, true};
    default: return {};
  }
}

Relation Not(Relation relation) {
  switch (relation) {
    case Relation::kDiffer: return Relation::kEqual;
    case Relation::kEqual: return Relation::kDiffer;
    case Relation::kLess: return Relation::kGreaterEqual;
    case Relation::kLessEqual: return Relation::kGreater;
    case Relation::kGreater: return Relation::kLessEqual;
    case Relation::kGreaterEqual: return Relation::kLess;
    default: return Relation::kNone;
  }
}

// The same with its sides changed.
Relation Mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess: return Relation::kGreater;
    case Relation::kLessEqual: return Relation::kGreaterEqual;
    case Relation::kGreater: return Relation::kLess;
    case Relation::kGreaterEqual: return Relation::kLessEqual;
    default: return relation;
  }
}

// The steps go towards the bound, so that some round is the last.
std::optional<LoopCounter> CounterOf(const LinearForm& steps, const LinearForm& bound,
                                     Comparison goes_on) {
  if (!steps.exact() || steps.per_round == 0 || !bound.fixed()) return std::nullopt;
  LoopCounter counter;
  counter.from = steps.value;
  counter.to = bound.value;
  counter.falls = steps.per_round < 0;
  counter.step = static_cast<uint32_t>(counter.falls ? -steps.per_round : steps.per_round);
  const bool up = goes_on.relation == Relation::kLess || goes_on.relation == Relation::kLessEqual;
  const bool with_equal =
      goes_on.relation == Relation::kLessEqual || goes_on.relation == Relation::kGreaterEqual;
  switch (goes_on.relation) {
    case Relation::kDiffer: return counter;
    case Relation::kLess:
    case Relation::kLessEqual:
    case Relation::kGreater:
    case Relation::kGreaterEqual: break;
    default: return std::nullopt;
  }
  if (up == counter.falls) return std::nullopt;
  counter.test = with_equal ? LoopTest::kUpTo : LoopTest::kBelow;
  counter.flip = (goes_on.with_signs ? kSign : 0u) ^ (counter.falls ? ~0u : 0u);
  return counter;
}

// The branch at `row` is taken, or is not, where the loop goes on.
std::optional<LoopCounter> CounterAt(const LoopRows& rows, uint32_t row, bool taken) {
  const auto decided = rows.WhereDefined(row);
  Comparison goes_on{Relation::kDiffer, false};
  LinearForm a = rows.a(row), b = LinearForm::Constant(0);
  if (decided && rows.inst(*decided).op == Op::kNumeric) {
    const Inst& inst = rows.inst(*decided);
    const Comparison comparison = ComparisonOf(inst.opcode);
    if (inst.opcode == Opcode::kI32Eqz) {
      goes_on.relation = Relation::kEqual;
      a = rows.a(*decided);
    } else if (comparison.relation != Relation::kNone) {
      goes_on = comparison;
      a = rows.a(*decided);
      b = rows.b(*decided);
    }
  }
  if (!taken) goes_on.relation = Not(goes_on.relation);
  if (a.known && a.per_round == 0) {
    std::swap(a, b);
    goes_on.relation = Mirrored(goes_on.relation);
  }
  auto counter = CounterOf(a, b, goes_on);
  if (counter) counter->test_at = row;
  return counter;
}

bool NothingFollows(const LoopRows& rows, uint32_t row) {
  while (++row < rows.end()) {
    if (rows.inst(row).op != Op::kPay || rows.inst(row).imm != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<LoopCounter> FindCounter(const LoopRows& rows) {
  const uint32_t back = rows.back_row();
  if (rows.inst(back).op == Op::kBrIf) {
    if (!rows.IsDirect(back)) return std::nullopt;
    auto counter = CounterAt(rows, back, true);
    if (counter) counter->test_ends_round = NothingFollows(rows, back);
    return counter;
  }
  for (uint32_t row = rows.first(); row < back; ++row) {
    const Inst& inst = rows.inst(row);
    if (inst.op != Op::kBrIf || !rows.IsDirect(row)) continue;
    if (!rows.IsOutside(static_cast<uint32_t>(inst.imm))) continue;
    if (auto counter = CounterAt(rows, row, false)) return counter;
  }
  return std::nullopt;
}

uint32_t RoundsOf(const LoopCounter& counter, uint32_t from, uint32_t to) {
  if (counter.test == LoopTest::kDiffers) {
    const uint32_t way = counter.falls ? from - to : to - from;
    return way % counter.step == 0 ? way / counter.step + 1 : 0;
  }
  const uint32_t a = from ^ counter.flip, b = to ^ counter.flip;
  const bool below = counter.test == LoopTest::kBelow;
  if (below ? a >= b : a > b) return 1;
  const uint32_t last = below ? b - 1 : b;  // of the values with which it goes on
  if (last > ~0u - counter.step) return 0;
  return (last - a) / counter.step + 2;
}

std::optional<uint32_t> AtStart(const ir::LoopValue& value,
                                const std::vector<ir::KnownStart>& starts) {
  uint32_t sum = value.constant;
  for (const ir::LoopTerm& term : value.terms) {
    const auto start = std::find_if(starts.begin(), starts.end(),
                                    [&](const ir::KnownStart& s) { return s.var == term.var; });
    if (start == starts.end()) return std::nullopt;
    sum += start->value * term.times;
  }
  return sum;
}

std::optional<uint32_t> StartOf(const LoopRows& rows, uint32_t construct, ir::Var var,
                                const std::vector<KnownBits>& facts) {
  const ir::Function& function = rows.function();
  uint32_t left = kMostRowsBefore;
  for (uint32_t row = function.constructs[construct].begin; row-- > 0 && left-- > 0;) {
    const Inst& inst = function.insts[row];
    switch (inst.op) {
      case Op::kLoop:
      case Op::kElse:
      case Op::kEnd:
      case Op::kCall:
      case Op::kSafepoint:
      case Op::kAsk:
      case Op::kMemoryGrow:
      case Op::kBr:
      case Op::kBrTable: return std::nullopt;
      default: break;
    }
    if (inst.dst != var) continue;
    if (inst.op == Op::kConst) return static_cast<uint32_t>(inst.imm);
    if (inst.op != Op::kCopy || !facts[inst.a].has_value() || !facts[inst.a].is_constant()) {
      return std::nullopt;
    }
    return facts[inst.a].ones;
  }
  return std::nullopt;
}

}  // namespace wb
