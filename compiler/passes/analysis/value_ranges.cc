#include "compiler/passes/analysis/value_ranges.h"

#include <algorithm>
#include <optional>

namespace wb {
namespace {

using ir::Inst;
using ir::Op;
using ir::Var;

constexpr ValueRange kAny;

// Where both ends pass 2^32 equally often, they wrap round together.
ValueRange Wrapped(uint64_t least, uint64_t most) {
  if (least >> 32 != most >> 32) return kAny;
  return {static_cast<uint32_t>(least), static_cast<uint32_t>(most)};
}

ValueRange Sum(const ValueRange& a, const ValueRange& b) {
  return Wrapped(uint64_t{a.least} + b.least, uint64_t{a.most} + b.most);
}

ValueRange Difference(const ValueRange& a, const ValueRange& b) {
  constexpr uint64_t kOnce = uint64_t{1} << 32;
  return Wrapped(kOnce + a.least - b.most, kOnce + a.most - b.least);
}

ValueRange Product(const ValueRange& a, const ValueRange& b) {
  return Wrapped(uint64_t{a.least} * b.least, uint64_t{a.most} * b.most);
}

// Shifts go by the lowest five bits of a count.
ValueRange ShiftLeft(const ValueRange& a, const ValueRange& by) {
  if (by.least != by.most) return kAny;
  const uint32_t n = by.least & 31u;
  return Wrapped(uint64_t{a.least} << n, uint64_t{a.most} << n);
}

ValueRange ShiftRight(const ValueRange& a, const ValueRange& by) {
  if (by.least != by.most) return {0, a.most};
  const uint32_t n = by.least & 31u;
  return {a.least >> n, a.most >> n};
}

ValueRange Remainder(const ValueRange& a, const ValueRange& by) {
  return by.least == 0 ? ValueRange{0, a.most} : ValueRange{0, std::min(a.most, by.most - 1)};
}

ValueRange Hull(const ValueRange& a, const ValueRange& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

// Of each variable that one row defines.
std::vector<uint32_t> DefiningRows(const ir::Function& function, uint32_t none) {
  std::vector<uint32_t> rows(function.vars.size(), none);
  std::vector<bool> defined(function.vars.size(), false);
  // Locals begin as arguments or 0.
  std::fill_n(defined.begin(), function.num_locals, true);
  const auto define = [&](Var var, uint32_t row) {
    rows[var] = defined[var] ? none : row;
    defined[var] = true;
  };
  for (uint32_t row = 0; row < function.insts.size(); ++row) {
    const Inst& inst = function.insts[row];
    if (inst.op == Op::kCall) {
      for (const Var result : function.calls[inst.imm].results) define(result, none);
    } else if (inst.dst != ir::kNoVar) {
      define(inst.dst, row);
    }
  }
  return rows;
}

// Of a variable that begins with `start` and goes by steps until it is `to`, where it comes to
// that.
std::optional<ValueRange> Stepped(uint32_t start, const LoopBound& bound) {
  const bool rises = bound.step < 1u << 31;
  const uint32_t by = rises ? bound.step : 0 - bound.step;
  const uint32_t way = rises ? bound.to - start : start - bound.to;
  if ((rises ? start >= bound.to : start <= bound.to) || way % by != 0) return std::nullopt;
  return rises ? ValueRange{start, bound.to - by} : ValueRange{bound.to + by, start};
}

}  // namespace

ValueRanges::ValueRanges(const ir::Function& function, const std::vector<KnownBits>& facts)
    : function_(function),
      facts_(facts),
      rows_(DefiningRows(function, kNoRow)),
      bounds_(function, rows_, kNoRow) {}

ValueRange ValueRanges::Of(Var var, uint32_t reader, uint32_t depth) const {
  const KnownBits& bits = facts_[var];
  if (!bits.has_value()) return kAny;
  const ValueRange known = {bits.least(), bits.most()};
  if (depth < 2) return known;
  ValueRange found;
  if (const LoopBound* bound = bounds_.At(var, reader)) {
    found = InRounds(*bound, depth);
  } else if (rows_[var] != kNoRow) {
    found = OfRow(rows_[var], depth);
  } else {
    return known;
  }
  const ValueRange both = {std::max(known.least, found.least), std::min(known.most, found.most)};
  return both.least <= both.most ? both : known;
}

ValueRange ValueRanges::InRounds(const LoopBound& bound, uint32_t depth) const {
  const ValueRange start = OfRow(bound.start, depth);
  if (!bound.steps) return Hull(start, {0, bound.to - 1});
  if (start.least != start.most) return kAny;
  return Stepped(start.least, bound).value_or(kAny);
}

ValueRange ValueRanges::OfRow(uint32_t row, uint32_t depth) const {
  const Inst& inst = function_.insts[row];
  switch (inst.op) {
    case Op::kConst: {
      const auto value = static_cast<uint32_t>(inst.imm);
      return {value, value};
    }
    case Op::kCopy: return Of(inst.a, row, depth - 1);
    case Op::kSelect: return Hull(Of(inst.a, row, depth - 2), Of(inst.b, row, depth - 2));
    case Op::kNumeric: return inst.b == ir::kNoVar ? kAny : OfNumeric(row, depth - 2);
    default: return kAny;
  }
}

ValueRange ValueRanges::OfNumeric(uint32_t row, uint32_t depth) const {
  const Inst& inst = function_.insts[row];
  const auto a = [&] { return Of(inst.a, row, depth); };
  const auto b = [&] { return Of(inst.b, row, depth); };
  switch (inst.opcode) {
    case Opcode::kI32Add: return Sum(a(), b());
    case Opcode::kI32Sub: return Difference(a(), b());
    case Opcode::kI32Mul: return Product(a(), b());
    case Opcode::kI32Shl: return ShiftLeft(a(), b());
    case Opcode::kI32ShrU: return ShiftRight(a(), b());
    case Opcode::kI32RemU: return Remainder(a(), b());
    case Opcode::kI32And: return {0, std::min(a().most, b().most)};
    default: return kAny;
  }
}

}  // namespace wb
